import { expect, it } from 'vitest';
import { tokensBesidePatches, type Run } from '../src/types';

const run: Run = {
  id: 'r1',
  model: 'vit',
  task: 'picture',
  input: 'ball.png',
  output: 'ball',
  sequences: [
    { name: 'patches', tokens: ['[class]', '1,1', '1,2', '[end]'] },
    { name: 'words', tokens: ['a', 'ball'] },
  ],
  layers: [],
  image: {
    width: 2,
    height: 1,
    channels: 1,
    pixels: 'AAA=',
    patches: { sequence: 'patches', first: 1, rows: 1, columns: 2 },
  },
};

it('lists the tokens that are no patches', () => {
  expect(tokensBesidePatches(run, 'patches')).toEqual([
    { token: '[class]', at: 0 },
    { token: '[end]', at: 3 },
  ]);
});

it('lists all tokens of other sequences', () => {
  expect(tokensBesidePatches(run, 'words').map(({ at }) => at)).toEqual([0, 1]);
  expect(tokensBesidePatches({ ...run, image: undefined }, 'patches')).toHaveLength(4);
});
