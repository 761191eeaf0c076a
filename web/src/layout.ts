/** Where things stand: frames over a map, words in lines, ticks of an axis. */

/** The upper left corner in tokens, and pixels a token. */
export interface Frame {
  x: number;
  y: number;
  scale: number;
}

export interface Area {
  width: number;
  height: number;
  queries: number;
  keys: number;
}

const largestCell = 64;

export function fitScale(area: Area, largest = 38): number {
  const scale = Math.min(area.width / area.keys, area.height / area.queries, largest);
  return Number.isFinite(scale) ? scale : largest;
}

/** No smaller than the whole, and never past its edges. */
export function clampFrame(frame: Frame, area: Area): Frame {
  const scale = Math.min(Math.max(frame.scale, fitScale(area)), largestCell);
  const within = (at: number, count: number, pixels: number) =>
    Math.min(Math.max(at, 0), Math.max(count - pixels / scale, 0));
  return {
    x: within(frame.x, area.keys, area.width),
    y: within(frame.y, area.queries, area.height),
    scale,
  };
}

/** The token under (x, y) stays under it. */
export function zoomAt(frame: Frame, factor: number, x: number, y: number, area: Area): Frame {
  const scale = Math.min(Math.max(frame.scale * factor, fitScale(area)), largestCell);
  const moved = {
    x: frame.x + x / frame.scale - x / scale,
    y: frame.y + y / frame.scale - y / scale,
    scale,
  };
  return clampFrame(moved, area);
}

/** Moved as little as needed to show a token. */
export function reveal(frame: Frame, query: number, key: number, area: Area): Frame {
  const into = (at: number, index: number, pixels: number) => {
    const seen = Math.max(pixels / frame.scale, 1);
    return Math.min(Math.max(at, index + 1 - seen), index);
  };
  const x = into(frame.x, key, area.width);
  const y = into(frame.y, query, area.height);
  return clampFrame({ x, y, scale: frame.scale }, area);
}

export interface Placed {
  x: number;
  line: number;
}

/** Words of these widths, one after the other in lines no wider than `width`. */
export function flow(widths: number[], width: number, gap: number): Placed[] {
  let x = 0;
  let line = 0;
  return widths.map((wide) => {
    if (x > 0 && x + wide > width) {
      x = 0;
      ++line;
    }
    const placed = { x, line };
    x += wide + gap;
    return placed;
  });
}

/** Round numbers between two: 1, 2 or 5 times a power of ten apart. */
export function ticks(low: number, high: number, most: number): number[] {
  if (!(high > low)) return [low];
  const rough = (high - low) / Math.max(most, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((s) => s >= rough * 0.999)!;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => +((first + i) * step).toPrecision(12));
}

/** At most two points for each pixel: the lowest and the highest there. */
export function thinned<P extends { x: number; y: number }>(points: P[], pixels: number): P[] {
  if (points.length <= 2 * pixels) return points;
  const size = Math.ceil(points.length / pixels);
  const out: P[] = [];
  for (let i = 0; i < points.length; i += size) {
    const part = points.slice(i, i + size);
    const low = part.reduce((a, b) => (b.y < a.y ? b : a));
    const high = part.reduce((a, b) => (b.y > a.y ? b : a));
    out.push(...(low === high ? [low] : low.x < high.x ? [low, high] : [high, low]));
  }
  return out;
}

/** For a label: at most so many letters. */
export function shorten(text: string, most: number): string {
  const letters = Array.from(text.trim());
  if (!letters.length) return '\u2423';
  return letters.length > most ? letters.slice(0, most - 1).join('') + '\u2026' : letters.join('');
}

export function readable(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e5) return value.toExponential(1);
  if (size >= 100) return String(Math.round(value));
  if (size < 1e-3) return value.toExponential(1);
  return String(+value.toPrecision(3));
}
