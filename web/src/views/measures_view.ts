/** How broadly and how far each head looks. */
import { lineColour } from '../colour';
import { readable, shorten } from '../layout';
import type { Drawing } from '../pen';
import { theme } from '../theme';
import type { Measures } from '../types';
import { paintChart, type Series } from './chart';
import { StillView, type Panel } from './view';

type Layers = Measures['layers'];

/** A dot for each head, those of a layer side by side above its name. */
function dotsOf(panel: Panel, layers: Layers, what: 'entropy' | 'distance', unit: string) {
  const series: Series[] = [];
  layers.forEach((layer, at) => {
    const heads = panel.run.layers.find((l) => l.name === layer.name)?.heads ?? [];
    (layer[what] ?? []).forEach((value, i) => {
      series[i] ??= { name: '', colour: lineColour(theme(), i).colour, dots: true, points: [] };
      const aside = heads.length > 1 ? (i / (heads.length - 1) - 0.5) * 0.6 : 0;
      const hint = `${layer.name}, head ${heads[i]}: ${readable(value)} ${unit}`;
      series[i].points.push({ x: at + aside, y: value, hint });
    });
  });
  return series;
}

export class MeasuresView extends StillView {
  constructor(panel: Panel) {
    super(panel, 'Entropy and distance of each head');
  }

  protected async compose(width: number): Promise<Drawing> {
    const { layers } = await this.panel.source.measures(this.panel.run);
    const near = layers.filter((layer) => layer.distance);
    const charts = [
      {
        layers,
        what: 'entropy' as const,
        unit: 'bits',
        title: 'Entropy (bits): how broadly a head looks',
      },
      {
        layers: near,
        what: 'distance' as const,
        unit: 'tokens',
        title: 'Distance (tokens): how far it looks',
      },
    ].filter((chart) => chart.layers.length);
    const height = 250;
    const paint: Drawing['paint'] = (pen) =>
      charts.forEach(({ layers, what, unit, title }, i) => {
        const names = layers.map((layer) =>
          shorten(layer.name.replace(/^([a-z])[a-z]*\./i, '$1.'), 10),
        );
        const box = { x: 0, y: i * (height + 16), width, height };
        const series = dotsOf(this.panel, layers, what, unit);
        paintChart(pen, box, series, { title, names, fromZero: true });
      });
    return { width, height: charts.length * (height + 16), paint };
  }
}
