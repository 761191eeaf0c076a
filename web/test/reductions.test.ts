import { describe, expect, it } from 'vitest';
import { measure, received, rollout } from '../src/reductions';
import { DenseWeights, reduce } from '../src/weights';

const from = (rows: number[][]) =>
  new DenseWeights(
    1,
    rows.length,
    rows[0].length,
    Uint16Array.from(rows.flat(), (w) => Math.round(w * 65535)),
  );
const noPause = async () => {};

describe('reductions', () => {
  it('sums what each key received', () => {
    const sums = received(
      from([
        [1, 0],
        [0.25, 0.75],
      ]),
      0,
    );
    expect(sums[0]).toBeCloseTo(1.25, 4);
    expect(sums[1]).toBeCloseTo(0.75, 4);
  });

  it('measures entropy in bits and distance in tokens', () => {
    const even = measure(from([[0.25, 0.25, 0.25, 0.25]]), 0);
    expect(even.entropy).toBeCloseTo(2, 4);
    expect(even.distance).toBeCloseTo(1.5, 4);
    const sharp = measure(
      from([
        [0, 1, 0],
        [1, 0, 0],
      ]),
      0,
    );
    expect(sharp.entropy).toBeCloseTo(0, 6);
    expect(sharp.distance).toBeCloseTo(1, 6);
  });

  it('leaves out rows that saw nothing', () => {
    expect(
      measure(
        from([
          [0, 0],
          [0.5, 0.5],
        ]),
        0,
      ).entropy,
    ).toBeCloseTo(1, 4);
    expect(measure(from([[0, 0]]), 0)).toEqual({ entropy: 0, distance: 0 });
  });

  it('rolls attention out over two layers', async () => {
    const first = from([
      [1, 0],
      [1, 0],
    ]);
    const second = from([
      [0, 1],
      [0, 1],
    ]);
    const result = await rollout([first, second], noPause);
    // A1 = [[1, 0], [.5, .5]], A2 = [[.5, .5], [0, 1]]; A2 A1 = [[.75, .25], [.5, .5]]
    const rows = [...reduce(result, 0, { q0: 0, q1: 2, k0: 0, k1: 2, step: 1 })].map(
      (w) => w / 65535,
    );
    [0.75, 0.25, 0.5, 0.5].forEach((expected, i) => expect(rows[i]).toBeCloseTo(expected, 4));
  });

  it('keeps rows that saw nothing, and scales others to sum 1', async () => {
    const result = await rollout(
      [
        from([
          [0, 0],
          [0.2, 0.2],
        ]),
      ],
      noPause,
    );
    const rows = [...reduce(result, 0, { q0: 0, q1: 2, k0: 0, k1: 2, step: 1 })].map(
      (w) => w / 65535,
    );
    [1, 0, 0.25, 0.75].forEach((expected, i) => expect(rows[i]).toBeCloseTo(expected, 4));
  });
});
