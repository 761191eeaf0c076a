/** A chart with two axes: lines or dots. */
import { readable, thinned, ticks } from '../layout';
import { widthOf, type Pen } from '../pen';
import { theme } from '../theme';

export interface Series {
  name: string;
  colour: string;
  dashed?: boolean;
  points: { x: number; y: number; hint?: string }[];
  /** Dots instead of a line. */
  dots?: boolean;
}

export interface ChartBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface ChartStyle {
  title: string;
  /** Names along the x axis instead of numbers, standing at 0, 1, 2 ... */
  names?: string[];
  fromZero?: boolean;
}

export function paintChart(pen: Pen, box: ChartBox, series: Series[], style: ChartStyle) {
  const all = series.flatMap((s) => s.points).filter((p) => Number.isFinite(p.y));
  const { quiet, ink, rule } = theme();
  pen.text(box.x, box.y + 13, style.title, { colour: ink, bold: true, size: 13 });
  paintNames(pen, box, series);
  if (!all.length) return;
  const range = (values: number[]) => {
    const [low, high] = values.reduce(
      ([a, b], v) => [Math.min(a, v), Math.max(b, v)],
      [values[0], values[0]],
    );
    return low === high ? [low - 0.5, high + 0.5] : [low, high];
  };
  const [x0, x1] = style.names ? [-0.5, style.names.length - 0.5] : range(all.map((p) => p.x));
  let [y0, y1] = range(all.map((p) => p.y));
  if (style.fromZero) y0 = Math.min(0, y0);
  const marks = ticks(y0, y1, Math.max(2, Math.floor(box.height / 34)));
  const left = box.x + Math.max(...marks.map((m) => widthOf(readable(m), 11)), 10) + 8;
  const [top, bottom, right] = [box.y + 28, box.y + box.height - 22, box.x + box.width - 6];
  const px = (x: number) => left + ((x - x0) / (x1 - x0)) * (right - left);
  const py = (y: number) => bottom - ((y - y0) / (y1 - y0)) * (bottom - top);
  for (const mark of marks) {
    pen.line(
      [
        [left, py(mark)],
        [right, py(mark)],
      ],
      { colour: rule },
    );
    pen.text(left - 6, py(mark) + 4, readable(mark), { colour: quiet, size: 11, align: 'end' });
  }
  const below = style.names
    ? style.names.map((name, i) => [i, name] as const)
    : ticks(x0, x1, Math.max(2, Math.floor(box.width / 56))).map((t) => [t, readable(t)] as const);
  const every = Math.ceil((below.length * 46) / Math.max(right - left, 1));
  below.forEach(([at, name], i) => {
    if (i % every) return;
    const half = widthOf(name, 11) / 2;
    const x = Math.min(px(at), box.x + box.width - half);
    pen.text(x, bottom + 16, name, { colour: quiet, size: 11, align: 'middle' });
  });
  for (const { points, colour, dots, dashed } of series) {
    const finite = points.filter((p) => Number.isFinite(p.y));
    if (dots || finite.length === 1) {
      for (const p of finite) pen.dot(px(p.x), py(p.y), 3, colour, p.hint);
    } else if (finite.length) {
      const path = thinned(finite, right - left).map((p): [number, number] => [px(p.x), py(p.y)]);
      pen.line(path, { colour, width: 1.75, dashed });
    }
  }
}

function paintNames(pen: Pen, box: ChartBox, series: Series[]) {
  if (series.length < 2 || series.some((s) => !s.name)) return;
  let x = box.x + box.width - 6;
  for (const { name, colour } of [...series].reverse()) {
    pen.text(x, box.y + 13, name, { colour: theme().quiet, size: 11, align: 'end' });
    x -= widthOf(name, 11) + 8;
    pen.dot(x, box.y + 9, 3.5, colour);
    x -= 14;
  }
}
