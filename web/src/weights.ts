/** The weights of one layer, whatever form they are kept in, and pictures of parts of them. */
import { fromBase64, numbersOf, one } from './bytes';
import { columnsOf, rowsOf, type Box } from './source';

export interface LayerWeights {
  readonly heads: number;
  readonly queries: number;
  readonly keys: number;
  /** Calls `each` for every weight of a row that is not 0, 65535 for 1. */
  visit(head: number, query: number, each: (key: number, weight: number) => void): void;
}

export class DenseWeights implements LayerWeights {
  constructor(
    readonly heads: number,
    readonly queries: number,
    readonly keys: number,
    private readonly numbers: Uint16Array,
  ) {
    if (numbers.length !== heads * queries * keys) {
      throw new Error(`expected ${heads} x ${queries} x ${keys} weights, found ${numbers.length}`);
    }
  }

  visit(head: number, query: number, each: (key: number, weight: number) => void) {
    const start = (head * this.queries + query) * this.keys;
    for (let key = 0; key < this.keys; ++key) {
      const weight = this.numbers[start + key];
      if (weight) each(key, weight);
    }
  }
}

/** The largest of each row; key 65535 stands for none. */
export class TopWeights implements LayerWeights {
  constructor(
    readonly heads: number,
    readonly queries: number,
    readonly keys: number,
    private readonly count: number,
    private readonly topKeys: Uint16Array,
    private readonly numbers: Uint16Array,
  ) {
    const expected = heads * queries * count;
    if (numbers.length !== expected || topKeys.length !== expected) {
      throw new Error(`expected ${heads} x ${queries} x ${count} weights, found ${numbers.length}`);
    }
  }

  visit(head: number, query: number, each: (key: number, weight: number) => void) {
    const start = (head * this.queries + query) * this.count;
    for (let i = start; i < start + this.count; ++i) {
      if (this.topKeys[i] < this.keys && this.numbers[i]) each(this.topKeys[i], this.numbers[i]);
    }
  }
}

/** A layer's weights as they stand in a page. */
export interface PackedWeights {
  weights?: string;
  top?: { count: number; keys: string; weights: string };
}

export function unpack(packed: PackedWeights, heads: number, queries: number, keys: number) {
  const numbers = (text: string) => numbersOf(fromBase64(text).buffer);
  if (packed.top) {
    const { count } = packed.top;
    const [topKeys, weights] = [numbers(packed.top.keys), numbers(packed.top.weights)];
    return new TopWeights(heads, queries, keys, count, topKeys, weights);
  }
  return new DenseWeights(heads, queries, keys, numbers(packed.weights ?? ''));
}

/** The mean of all heads, as a layer of one head. */
export class MeanWeights implements LayerWeights {
  readonly heads = 1;
  readonly queries: number;
  readonly keys: number;
  private readonly row: Float64Array;

  constructor(private readonly all: LayerWeights) {
    this.queries = all.queries;
    this.keys = all.keys;
    this.row = new Float64Array(all.keys);
  }

  visit(_: number, query: number, each: (key: number, weight: number) => void) {
    this.row.fill(0);
    for (let head = 0; head < this.all.heads; ++head) {
      this.all.visit(head, query, (key, weight) => (this.row[key] += weight));
    }
    for (let key = 0; key < this.keys; ++key) {
      const weight = Math.round(this.row[key] / this.all.heads);
      if (weight) each(key, weight);
    }
  }
}

export function checkBox(box: Box, queries: number, keys: number) {
  const { q0, q1, k0, k1, step } = box;
  const inside = q0 >= 0 && q0 < q1 && q1 <= queries && k0 >= 0 && k0 < k1 && k1 <= keys;
  const whole = [q0, q1, k0, k1].every(Number.isInteger);
  if (!inside || !whole) {
    throw new RangeError(
      `queries ${q0} to ${q1}, keys ${k0} to ${k1} are not in ${queries} x ${keys}`,
    );
  }
  if (!Number.isInteger(Math.log2(step)) || step < 1 || step > 4096) {
    throw new RangeError(`step must be a power of two up to 4096, not ${step}`);
  }
}

/** The largest weight of each block. */
export function reduce(weights: LayerWeights, head: number, box: Box): Uint16Array {
  checkBox(box, weights.queries, weights.keys);
  const { q0, q1, k0, k1, step } = box;
  const columns = columnsOf(box);
  const out = new Uint16Array(rowsOf(box) * columns);
  for (let query = q0; query < q1; ++query) {
    const start = Math.floor((query - q0) / step) * columns;
    weights.visit(head, query, (key, weight) => {
      if (key < k0 || key >= k1) return;
      const at = start + Math.floor((key - k0) / step);
      if (weight > out[at]) out[at] = Math.min(weight, one);
    });
  }
  return out;
}
