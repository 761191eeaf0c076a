import { describe, expect, it } from 'vitest';
import { fromHash, startState, toHash, type State } from '../src/hash';

describe('links', () => {
  it('restore a view', () => {
    const state: State = {
      page: 'views',
      run: 'r7',
      other: 'r2',
      model: 'en-de',
      input: 'A dog? & a #cat + 1%\n\u00fc',
      view: 'heads',
      layer: 'decoder.3.cross',
      head: 4,
      heads: [0, 4],
      threshold: 0.07,
      pin: 3,
      frame: { x: 10.5, y: 0, scale: 2.25 },
    };
    expect(fromHash(toHash(state))).toEqual(state);
  });

  it('tell the mean from a head', () => {
    expect(fromHash(toHash({ ...startState, page: 'views', head: 'mean' })).head).toBe('mean');
    expect(fromHash(toHash({ ...startState, page: 'views', head: 0 })).head).toBe(0);
    expect(fromHash(toHash({ ...startState, page: 'views' })).head).toBeUndefined();
  });

  it('leave out inputs that are too long for them', () => {
    expect(toHash({ ...startState, input: 'x'.repeat(2000) })).toBe('#/playground');
  });

  it.each([
    '',
    '#',
    '#/nowhere?view=none&head=x&threshold=y&frame=1_2&pin=',
    '#/playground?frame=0_0_-1&threshold=',
  ])('that say nothing or nonsense open the start: %s', (hash) => {
    const { page, view, threshold, frame, pin, head } = fromHash(hash);
    expect({ page, view, threshold }).toEqual(startState);
    expect([frame, pin, head]).toEqual([undefined, undefined, undefined]);
  });

  it('keep the threshold between 0 and 1', () => {
    expect(fromHash('#/views?threshold=7').threshold).toBe(1);
  });
});
