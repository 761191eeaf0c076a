import { describe, expect, it } from 'vitest';
import type { Box, Source } from '../src/source';
import { stepFor, stepWithin, tilesOver, TileStore } from '../src/tiles';
import type { Run } from '../src/types';

describe('which tiles', () => {
  it('never gives less than a pixel to a number', () => {
    expect([64, 1, 0.99, 0.5, 0.49, 0.25, 0.1].map(stepFor)).toEqual([1, 1, 2, 2, 4, 4, 16]);
    expect(stepWithin(2000, 256)).toBe(8);
    expect(stepWithin(256, 256)).toBe(1);
  });

  it('covers a range with tiles on a grid, cut at the edges', () => {
    const boxes = tilesOver({ q0: 300, q1: 310, k0: 200, k1: 600 }, 1, 310, 590);
    expect(boxes).toEqual([
      { q0: 256, q1: 310, k0: 0, k1: 256, step: 1 },
      { q0: 256, q1: 310, k0: 256, k1: 512, step: 1 },
      { q0: 256, q1: 310, k0: 512, k1: 590, step: 1 },
    ]);
  });

  it('covers 2,000 tokens with few tiles when they are small', () => {
    expect(tilesOver({ q0: 0, q1: 2000, k0: 0, k1: 2000 }, 8, 2000, 2000)).toHaveLength(1);
  });
});

describe('the store of tiles', () => {
  const run = { id: 'r' } as Run;
  const box = (q0: number): Box => ({ q0, q1: q0 + 1, k0: 0, k1: 1, step: 1 });
  const settled = () => new Promise((done) => setTimeout(done));

  function stored(limit?: number, fails = false) {
    const asked: number[] = [];
    const open: (() => void)[] = [];
    const failures: unknown[] = [];
    const source = {
      tile: (_: Run, __: string, ___: number, { q0 }: Box) =>
        new Promise<Uint16Array>((done, failed) => {
          asked.push(q0);
          open.push(() => (fails ? failed(new Error('no')) : done(new Uint16Array(4))));
        }),
    } as unknown as Source;
    const store = new TileStore(
      source,
      () => {},
      (error) => failures.push(error),
      limit,
    );
    const get = (q0: number) => store.get(run, 'l', 0, box(q0));
    return { asked, open, failures, get };
  }

  it('asks once, and has it then', async () => {
    const { asked, open, get } = stored();
    expect(get(0)).toBeUndefined();
    expect(get(0)).toBeUndefined();
    expect(asked).toEqual([0]);
    open[0]();
    await settled();
    expect(get(0)).toHaveLength(4);
    expect(asked).toEqual([0]);
  });

  it('asks for six at a time, the latest wish first', async () => {
    const { asked, open, get } = stored();
    for (let i = 0; i < 9; ++i) get(i);
    expect(asked).toEqual([0, 1, 2, 3, 4, 5]);
    open[0]();
    await settled();
    expect(asked.at(-1)).toBe(8);
  });

  it('drops what was unused for longest', async () => {
    const { asked, open, get } = stored(16);
    for (let i = 0; i < 2; ++i) get(i);
    open.forEach((done) => done());
    await settled();
    get(0);
    get(2);
    open[2]();
    await settled();
    expect(get(0)).toBeDefined();
    expect(get(1)).toBeUndefined();
    expect(asked).toEqual([0, 1, 2, 1]);
  });

  it('does not ask again for what failed', async () => {
    const { asked, open, failures, get } = stored(undefined, true);
    get(0);
    open[0]();
    await settled();
    get(0);
    expect(asked).toEqual([0]);
    expect(failures).toHaveLength(1);
  });
});
