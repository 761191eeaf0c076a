import { describe, expect, it } from 'vitest';
import { unpack, DenseWeights, MeanWeights, reduce, TopWeights } from '../src/weights';
import { packed } from '../e2e/mock_data';

/** (2 heads, 2 queries, 3 keys) */
const dense = new DenseWeights(2, 2, 3, Uint16Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]));

describe('tiles of weights', () => {
  it('gives a part of a head', () => {
    const box = { q0: 0, q1: 2, k0: 1, k1: 3, step: 1 };
    expect([...reduce(dense, 1, box)]).toEqual([8, 9, 11, 12]);
  });

  it('gives the largest of blocks, also of those cut off at the edge', () => {
    const box = { q0: 0, q1: 2, k0: 0, k1: 3, step: 2 };
    expect([...reduce(dense, 0, box)]).toEqual([5, 6]);
  });

  it('averages heads before it takes the largest', () => {
    const box = { q0: 0, q1: 2, k0: 0, k1: 3, step: 2 };
    expect([...reduce(new MeanWeights(dense), 0, box)]).toEqual([8, 9]);
  });

  it('reads the largest of each row', () => {
    const top = new TopWeights(
      1,
      2,
      4,
      2,
      Uint16Array.from([3, 0, 2, 65535]),
      Uint16Array.from([9, 5, 7, 1]),
    );
    const box = { q0: 0, q1: 2, k0: 0, k1: 4, step: 1 };
    expect([...reduce(top, 0, box)]).toEqual([5, 0, 0, 9, 0, 0, 7, 0]);
  });

  it('unpacks both forms', () => {
    const numbers = packed(Uint16Array.from([1, 65535]));
    const box = { q0: 0, q1: 1, k0: 0, k1: 2, step: 1 };
    expect([...reduce(unpack({ weights: numbers }, 1, 1, 2), 0, box)]).toEqual([1, 65535]);
    const top = {
      count: 1,
      keys: packed(Uint16Array.from([1])),
      weights: packed(Uint16Array.from([8])),
    };
    expect([...reduce(unpack({ top }, 1, 1, 2), 0, box)]).toEqual([0, 8]);
  });

  it.each([
    { q0: 0, q1: 3, k0: 0, k1: 3, step: 1 },
    { q0: 1, q1: 1, k0: 0, k1: 3, step: 1 },
    { q0: -1, q1: 1, k0: 0, k1: 3, step: 1 },
    { q0: 0, q1: 2, k0: 0, k1: 3, step: 3 },
    { q0: 0, q1: 2, k0: 0, k1: 3, step: 8192 },
    { q0: 0, q1: 2, k0: 0, k1: NaN, step: 1 },
  ])('refuses %o', (box) => {
    expect(() => reduce(dense, 0, box)).toThrow(RangeError);
  });

  it('refuses weights of another size', () => {
    expect(() => new DenseWeights(1, 2, 2, new Uint16Array(3))).toThrow('expected 1 x 2 x 2');
  });
});
