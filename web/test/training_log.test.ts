import { expect, it } from 'vitest';
import { trainingLines } from '../e2e/mock_data';
import { TrainingLog } from '../src/training_log';

it('sorts the lines of a training into charts', () => {
  const log = new TrainingLog();
  trainingLines(1000).forEach((line) => log.add(line));
  expect([...log.charts.keys()]).toEqual([
    'loss',
    'bleu',
    'Per second',
    'Learning rate',
    'Gradient norm',
  ]);
  expect(log.charts.get('loss')!.get('training')).toHaveLength(10);
  expect(
    log.charts
      .get('loss')!
      .get('validation')!
      .map((p) => p.x),
  ).toEqual([500, 1000]);
  expect(log.latest!.step).toBe(1000);
  expect(log.samples!.step).toBe(1000);
});

it('keeps the first and the last of many pictures', () => {
  const log = new TrainingLog();
  for (let step = 0; step < 1000; ++step) {
    log.add({ kind: 'attention', step, title: '', queries: [], keys: [], weights: '' });
  }
  expect(log.pictures.length).toBeLessThanOrEqual(200);
  expect(log.pictures[0].step).toBe(0);
  expect(log.pictures.at(-1)!.step).toBe(999);
});
