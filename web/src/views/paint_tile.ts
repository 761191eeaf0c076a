/** Tiles as little pictures, painted once for each colouring. */
import { one } from '../bytes';
import { strengthOf, type Theme } from '../colour';

export interface Colouring {
  theme: Theme;
  threshold: number;
  keys: number;
}

const painted = new WeakMap<Uint16Array, Map<number, { name: string; image: HTMLCanvasElement }>>();
const tables = new Map<string, Uint32Array>();

const nameOf = ({ theme, threshold, keys }: Colouring) =>
  `${theme.dark} ${threshold} ${strengthOf(0.25, keys)}`;

/** The colour of each weight, by its upper 12 bits. */
function tableOf(colouring: Colouring): Uint32Array {
  const name = nameOf(colouring);
  let table = tables.get(name);
  if (!table) {
    const { theme, threshold, keys } = colouring;
    table = Uint32Array.from({ length: 4096 }, (_, i) => {
      const weight = ((i + 0.5) * 16) / one;
      const strength = i > 0 && weight >= threshold ? strengthOf(weight, keys) : 0;
      return theme.pixels[Math.min(255, Math.round(strength * 255))];
    });
    if (tables.size > 32) tables.clear();
    tables.set(name, table);
  }
  return table;
}

/** Rows of numbers from `start` on, as a picture of one pixel a number. */
export function paintTile(
  numbers: Uint16Array,
  columns: number,
  rows: number,
  colouring: Colouring,
  start = 0,
): HTMLCanvasElement {
  const name = nameOf(colouring);
  const mine = painted.get(numbers) ?? new Map();
  painted.set(numbers, mine);
  const before = mine.get(start);
  if (before?.name === name) return before.image;
  const image = document.createElement('canvas');
  image.width = columns;
  image.height = rows;
  const to = image.getContext('2d')!;
  const data = to.createImageData(columns, rows);
  const pixels = new Uint32Array(data.data.buffer);
  const table = tableOf(colouring);
  for (let i = 0; i < pixels.length; ++i) pixels[i] = table[numbers[start + i] >> 4];
  to.putImageData(data, 0, 0);
  mine.set(start, { name, image });
  return image;
}
