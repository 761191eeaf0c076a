import { describe, expect, it } from 'vitest';
import {
  clampFrame,
  fitScale,
  flow,
  readable,
  reveal,
  shorten,
  thinned,
  ticks,
  zoomAt,
} from '../src/layout';

const area = { width: 500, height: 400, queries: 2000, keys: 2000 };

describe('frames', () => {
  it('fit the whole, but do not blow up a few words', () => {
    expect(fitScale(area)).toBe(0.2);
    expect(fitScale({ ...area, queries: 3, keys: 4 })).toBe(38);
    expect(fitScale({ ...area, queries: 0, keys: 0 })).toBe(38);
  });

  it('stay inside', () => {
    expect(clampFrame({ x: -5, y: 1999, scale: 2 }, area)).toEqual({ x: 0, y: 1800, scale: 2 });
    expect(clampFrame({ x: 7, y: 7, scale: 0.01 }, area)).toEqual({ x: 0, y: 0, scale: 0.2 });
  });

  it('zoom about a point', () => {
    const before = { x: 100, y: 200, scale: 1 };
    const after = zoomAt(before, 4, 50, 80, area);
    expect(after.scale).toBe(4);
    expect(after.x + 50 / after.scale).toBeCloseTo(before.x + 50);
    expect(after.y + 80 / after.scale).toBeCloseTo(before.y + 80);
  });

  it('move no more than needed to show a token', () => {
    const frame = { x: 100, y: 100, scale: 10 };
    expect(reveal(frame, 110, 110, area)).toEqual(frame);
    expect(reveal(frame, 99, 150, area)).toEqual({ x: 101, y: 99, scale: 10 });
  });
});

describe('words in lines', () => {
  it('break when there is no room', () => {
    expect(flow([40, 40, 40], 100, 5)).toEqual([
      { x: 0, line: 0 },
      { x: 45, line: 0 },
      { x: 0, line: 1 },
    ]);
  });

  it('do not break before a word that is too wide for any line', () => {
    expect(flow([200, 10], 100, 5)).toEqual([
      { x: 0, line: 0 },
      { x: 0, line: 1 },
    ]);
  });
});

describe('axes', () => {
  it('have round marks', () => {
    expect(ticks(0, 1, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(ticks(37, 1210, 4)).toEqual([500, 1000]);
    expect(ticks(3, 3, 4)).toEqual([3]);
  });

  it('lose no peak when there are more points than pixels', () => {
    const points = Array.from({ length: 10000 }, (_, x) => ({ x, y: x === 5003 ? 9 : x % 2 }));
    const thin = thinned(points, 100);
    expect(thin.length).toBeLessThanOrEqual(200);
    expect(Math.max(...thin.map((p) => p.y))).toBe(9);
    expect(thin.every((p, i) => !i || thin[i - 1].x <= p.x)).toBe(true);
  });

  it('write numbers briefly', () => {
    expect([0, 0.12345, 1234.5, 123456, 0.00012].map(readable)).toEqual([
      '0',
      '0.123',
      '1235',
      '1.2e+5',
      '1.2e-4',
    ]);
  });

  it('shorten by letters, not by bytes', () => {
    expect(shorten('\u{1f600}\u{1f600}\u{1f600}', 2)).toBe('\u{1f600}\u2026');
    expect(shorten('  ', 5)).toBe('\u2423');
  });
});
