/** What a training told so far, sorted for charts. */
import type { TrainingLine } from './types';

type Of<Kind extends TrainingLine['kind']> = Extract<TrainingLine, { kind: Kind }>;

export interface Point {
  x: number;
  y: number;
}

/** A chart: curves by name. */
export type Curves = Map<string, Point[]>;

const keptPictures = 200;

export class TrainingLog {
  private readonly quality = new Map<string, Curves>();
  private readonly pace = new Map<string, Curves>();
  readonly pictures: Of<'attention'>[] = [];
  samples: Of<'samples'> | undefined;
  latest: Of<'train'> | undefined;
  best: Of<'validation'> | undefined;
  ended: string | undefined;

  /** By title: first how good it is, then how it goes. */
  get charts(): Map<string, Curves> {
    return new Map([...this.quality, ...this.pace]);
  }

  add(line: TrainingLine) {
    switch (line.kind) {
      case 'train':
        this.latest = line;
        for (const [name, value] of Object.entries(line.losses))
          put(this.quality, name, 'training', line.step, value);
        put(this.pace, 'Per second', '', line.step, line.per_second);
        put(this.pace, 'Learning rate', '', line.step, line.learning_rate);
        put(this.pace, 'Gradient norm', '', line.step, line.gradient_norm);
        break;
      case 'validation':
        if (line.better) this.best = line;
        for (const [name, value] of Object.entries(line.figures))
          put(this.quality, name, 'validation', line.step, value);
        break;
      case 'samples':
        this.samples = line;
        break;
      case 'attention':
        this.pictures.push(line);
        // The start is where most happens: of many pictures every second one goes, the first stays.
        if (this.pictures.length > keptPictures) {
          const half = this.pictures.filter((_, i) => i % 2 === 0);
          this.pictures.splice(0, this.pictures.length, ...half);
        }
        break;
      case 'end':
        this.ended = line.reason;
        break;
    }
  }
}

function put(charts: Map<string, Curves>, title: string, curve: string, x: number, y: number) {
  const curves = charts.get(title) ?? new Map<string, Point[]>();
  charts.set(title, curves);
  const points = curves.get(curve) ?? [];
  curves.set(curve, points);
  points.push({ x, y });
}
