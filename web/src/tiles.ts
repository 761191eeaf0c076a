/** Which tiles a picture needs, and where they are kept. */
import type { Box, Source } from './source';
import type { Head, Run } from './types';

export const tileSize = 256;

/** The step at which one number is at least one pixel wide. */
export function stepFor(pixelsPerToken: number): number {
  return Math.min(4096, 2 ** Math.max(0, Math.ceil(-Math.log2(pixelsPerToken) - 1e-9)));
}

/** The step at which `count` tokens make at most `most` numbers. */
export const stepWithin = (count: number, most: number) => stepFor(most / Math.max(count, 1));

export interface Range {
  q0: number;
  q1: number;
  k0: number;
  k1: number;
}

/** The tiles that cover a part of a matrix; their corners stand on a grid, so that they are found
 * again. */
export function tilesOver(range: Range, step: number, queries: number, keys: number): Box[] {
  const side = tileSize * step;
  const first = (value: number) => Math.floor(Math.max(value, 0) / side) * side;
  const boxes: Box[] = [];
  for (let q0 = first(range.q0); q0 < Math.min(range.q1, queries); q0 += side) {
    for (let k0 = first(range.k0); k0 < Math.min(range.k1, keys); k0 += side) {
      boxes.push({ q0, q1: Math.min(q0 + side, queries), k0, k1: Math.min(k0 + side, keys), step });
    }
  }
  return boxes;
}

interface Wanted {
  key: string;
  load: (stop: AbortSignal) => Promise<Uint16Array>;
}

/** Tiles that were asked for: the latest wishes come first, the oldest tiles go first. */
export class TileStore {
  private readonly kept = new Map<string, Uint16Array>();
  private readonly running = new Set<string>();
  /** Not asked for again in every frame. */
  private readonly broken = new Set<string>();
  private readonly stop = new AbortController();
  private waiting: Wanted[] = [];
  private bytes = 0;

  constructor(
    private readonly source: Source,
    private readonly arrived: () => void,
    private readonly failed: (error: unknown) => void,
    private readonly limit = 48 << 20,
  ) {}

  /** The tile if it is here; otherwise `arrived` will be called. */
  get(run: Run, layer: string, head: Head, box: Box): Uint16Array | undefined {
    const key = keyOf(run, layer, head, box);
    return this.find(key, (stop) => this.source.tile(run, layer, head, box, stop));
  }

  /** The same for all heads. */
  getAll(run: Run, layer: string, box: Box): Uint16Array | undefined {
    const key = keyOf(run, layer, 'all', box);
    return this.find(key, (stop) => this.source.tiles(run, layer, box, stop));
  }

  get idle() {
    return this.running.size === 0;
  }

  close() {
    this.waiting = [];
    this.stop.abort();
  }

  private find(key: string, load: Wanted['load']): Uint16Array | undefined {
    const tile = this.kept.get(key);
    if (tile) {
      this.kept.delete(key); // and to the end: the first is the one unused for longest
      this.kept.set(key, tile);
      return tile;
    }
    if (!this.running.has(key) && !this.broken.has(key)) {
      this.waiting = this.waiting.filter((wanted) => wanted.key !== key);
      this.waiting.push({ key, load });
      if (this.waiting.length > 256) this.waiting.shift();
      this.next();
    }
    return undefined;
  }

  private next() {
    while (this.running.size < 6 && this.waiting.length && !this.stop.signal.aborted) {
      const { key, load } = this.waiting.pop()!;
      this.running.add(key);
      load(this.stop.signal)
        .then((tile) => {
          this.keep(key, tile);
          this.arrived();
        })
        .catch((error) => {
          this.broken.add(key);
          if (!this.stop.signal.aborted) this.failed(error);
        })
        .finally(() => {
          this.running.delete(key);
          this.next();
        });
    }
  }

  private keep(key: string, tile: Uint16Array) {
    this.kept.set(key, tile);
    this.bytes += tile.byteLength;
    for (const [oldest, old] of this.kept) {
      if (this.bytes <= this.limit || oldest === key) break;
      this.kept.delete(oldest);
      this.bytes -= old.byteLength;
    }
  }
}

function keyOf(run: Run, layer: string, head: Head | 'all', box: Box) {
  return [run.id, layer, head, box.q0, box.q1, box.k0, box.k1, box.step].join(' ');
}
