/** A source whose data stand in the page. */
import { measure, received, rollout } from './reductions';
import type { Box, Source, TrainingListener } from './source';
import { layerOf, rolloutPrefix, stackUpTo, tokensOf } from './types';
import type { Head, Layer, Run, RunName, TrainingLine } from './types';
import { MeanWeights, reduce, unpack, type LayerWeights, type PackedWeights } from './weights';

export interface PageData {
  title: string;
  runs: (Run & { layers: (Layer & PackedWeights)[] })[];
  training?: TrainingLine[];
}

const untilIdle = () => new Promise<void>((done) => setTimeout(done));

export class EmbeddedSource implements Source {
  readonly live = false;
  readonly trains: boolean;
  private readonly unpacked = new Map<string, LayerWeights>();
  private readonly rollouts = new Map<string, Promise<LayerWeights>>();

  constructor(private readonly data: PageData) {
    this.trains = !!data.training?.length;
  }

  async models() {
    return [];
  }

  async runs(): Promise<RunName[]> {
    return this.data.runs.map(({ id, model, input }) => ({ id, model, input }));
  }

  async run(): Promise<Run> {
    throw new Error('this page holds runs, no models');
  }

  async metadata(id: string): Promise<Run> {
    const run = this.data.runs.find((candidate) => candidate.id === id);
    if (!run) throw new Error(`this page has no run "${id}"`);
    return run;
  }

  async tile(run: Run, layer: string, head: Head, box: Box) {
    const { weights, index } = await this.pick(run, layer, head);
    return reduce(weights, index, box);
  }

  async tiles(run: Run, layer: string, box: Box) {
    const weights = this.weightsOf(run, layerOf(run, layer));
    const parts = layerOf(run, layer).heads.map((_, index) => reduce(weights, index, box));
    const out = new Uint16Array(parts.length * parts[0].length);
    parts.forEach((part, i) => out.set(part, i * part.length));
    return out;
  }

  async received(run: Run, layer: string, head: Head) {
    const { weights, index } = await this.pick(run, layer, head);
    return received(weights, index);
  }

  async measures(run: Run) {
    const layers = run.layers.map((layer) => {
      const weights = this.weightsOf(run, layer);
      const heads = layer.heads.map((_, index) => measure(weights, index));
      return {
        name: layer.name,
        entropy: heads.map((head) => head.entropy),
        distance: layer.queries === layer.keys ? heads.map((head) => head.distance) : null,
      };
    });
    return { layers };
  }

  training(listener: TrainingListener) {
    if (!this.data.training) listener.failed('This page holds no training.');
    this.data.training?.forEach((line) => listener.line(line));
    return () => {};
  }

  private async pick(run: Run, name: string, head: Head) {
    if (name.startsWith(rolloutPrefix)) {
      return { weights: await this.rolloutOf(run, layerOf(run, name)), index: 0 };
    }
    const layer = layerOf(run, name);
    const weights = this.weightsOf(run, layer);
    if (head === 'mean') return { weights: new MeanWeights(weights), index: 0 };
    const index = layer.heads.indexOf(head);
    if (index < 0) throw new RangeError(`layer "${name}" has no head ${head}`);
    return { weights, index };
  }

  /** Unpacked when first needed: a page opens at once, however much it holds. */
  protected weightsOf(run: Run, layer: Layer): LayerWeights {
    const key = `${run.id} ${layer.name}`;
    let weights = this.unpacked.get(key);
    if (!weights) {
      const queries = tokensOf(run, layer.queries).length;
      const keys = tokensOf(run, layer.keys).length;
      weights = unpack(layer as Layer & PackedWeights, layer.heads.length, queries, keys);
      this.unpacked.set(key, weights);
    }
    return weights;
  }

  private rolloutOf(run: Run, layer: Layer): Promise<LayerWeights> {
    if (layer.queries !== layer.keys) {
      throw new RangeError(`rollout: "${layer.name}" looks at another sequence`);
    }
    const key = `${run.id} ${layer.name}`;
    let result = this.rollouts.get(key);
    if (!result) {
      result = rollout(
        stackUpTo(run, layer).map((l) => this.weightsOf(run, l)),
        untilIdle,
      );
      this.rollouts.set(key, result);
    }
    return result;
  }
}
