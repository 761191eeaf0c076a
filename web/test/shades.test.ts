import { expect, it } from 'vitest';
import { fullBar, shadesOf, shares } from '../src/shades';

it('shades words by sqrt(weight of the sentence) times their own, the strongest by 1', () => {
  const sentences = [
    { weight: 0.64, words: ['a', 'b'], weights: [0.5, 0.25] },
    { weight: 0.36, words: ['c'], weights: [1] },
  ];
  const shades = shadesOf({ title: '', sentences });
  expect(shades[0][0]).toBeCloseTo(0.4 / 0.6);
  expect(shades[0][1]).toBeCloseTo(0.2 / 0.6);
  expect(shades[1]).toEqual([1]);
});

it('takes the largest for a full bar, unless it towers above all others', () => {
  expect(fullBar([1, 2, 3, 4])).toBe(4);
  expect(fullBar([900, ...Array(20).fill(1)])).toBe(3);
  expect(fullBar([5, ...Array(20).fill(0)])).toBe(5);
  expect(fullBar([])).toBeGreaterThan(0);
});

it('counts how often keys were drawn', () => {
  expect([...shares([3, 1, 3, 3])]).toEqual([
    [3, 0.75],
    [1, 0.25],
  ]);
  expect(shares([]).size).toBe(0);
});
