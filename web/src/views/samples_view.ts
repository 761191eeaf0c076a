/** Hard attention: which keys were drawn for each query, and how often. */
import { heat } from '../colour';
import { readable, shorten } from '../layout';
import { widthOf, type Drawing, type Pen } from '../pen';
import { shares } from '../shades';
import { theme } from '../theme';
import { layerOf, tokensOf, type Samples } from '../types';
import { StillView, type Panel } from './view';

export class SamplesView extends StillView {
  constructor(panel: Panel) {
    super(panel, 'Keys drawn by hard attention');
  }

  protected async compose(width: number): Promise<Drawing> {
    const { run, store } = this.panel;
    const all = run.samples ?? [];
    const samples = all.find((s) => s.layer === store.state.layer) ?? all[0];
    const layer = layerOf(run, samples.layer);
    const queries = tokensOf(run, layer.queries);
    const keys = tokensOf(run, layer.keys);
    const left = Math.max(...queries.map((t) => widthOf(shorten(t, 14), 12)), 20) + 12;
    const top = Math.max(...keys.map((t) => widthOf(shorten(t, 12), 12)), 20) * 0.72 + 40;
    const cell = Math.max(8, Math.min(28, (width - left - top) / Math.max(keys.length, 1)));
    const height = top + queries.length * cell + 4;
    const paint = (pen: Pen) => this.paintDots(pen, samples, queries, keys, { left, top, cell });
    return { width, height, paint };
  }

  private paintDots(
    pen: Pen,
    samples: Samples,
    queries: string[],
    keys: string[],
    { left, top, cell }: { left: number; top: number; cell: number },
  ) {
    const { quiet, rule } = theme();
    const drawn = samples.keys[0]?.length ?? 0;
    const title = `${samples.layer}, head ${samples.head}: ${drawn} samples for each query`;
    pen.text(0, 14, title, { colour: quiet });
    const style = { colour: quiet, size: 12 };
    keys.forEach((key, k) =>
      pen.text(left + (k + 0.5) * cell + 3, top - 6, shorten(key, 12), { ...style, turn: -45 }),
    );
    queries.forEach((query, q) => {
      const y = top + (q + 0.5) * cell;
      pen.text(left - 8, y + 4, shorten(query, 14), { ...style, align: 'end' });
      pen.line(
        [
          [left, y],
          [left + keys.length * cell, y],
        ],
        { colour: rule },
      );
      for (const [key, share] of shares(samples.keys[q] ?? [])) {
        const hint = `${query} \u2192 ${keys[key]}: ${readable(share)}`;
        const radius = (Math.sqrt(share) * cell) / 2.2;
        pen.dot(left + (key + 0.5) * cell, y, radius, heat(theme(), 0.3 + 0.5 * share), hint);
      }
    });
  }
}
