/** 2,000 tokens, 24 layers, 16 heads: it must stay fluid. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inkOf, Stage } from './browser';

const stage = new Stage();
beforeAll(() => stage.open(), 60_000);
afterAll(() => stage.close());

/** Milliseconds for each frame while `act` is called in every one: of the page's own drawing, and
 * from one frame to the next, in which the browser paints; sorted. */
function frames(page: Page, act: string, count: number) {
  return page.evaluate(
    ([code, n]) =>
      new Promise<{ script: number[]; frame: number[] }>((done) => {
        const step = new Function('canvas', 'i', code as string);
        const canvas = document.querySelector('canvas')!;
        const script: number[] = [];
        const frame: number[] = [];
        let begin = 0;
        // Callbacks of a frame run in the order in which they were asked for: the view's, asked for
        // by `step`, runs between these two.
        const first = () => (begin = performance.now());
        const last = (i: number) => {
          const acted = performance.now();
          if (i > 0) script[i - 1] += acted - begin;
          if (i > 0) frame[i - 1] = acted - frame[i - 1];
          if (i === n) {
            const sorted = (times: number[]) => times.sort((a, b) => a - b);
            done({ script: sorted(script), frame: sorted(frame) });
            return;
          }
          frame[i] = acted;
          requestAnimationFrame(first);
          step(canvas, i);
          script[i] = performance.now() - acted;
          requestAnimationFrame(() => last(i + 1));
        };
        last(0);
      }),
    [act, count] as const,
  );
}

const wheel = (options: string) => `
  const box = canvas.getBoundingClientRect();
  canvas.dispatchEvent(new WheelEvent('wheel', {clientX: box.left + 400, clientY: box.top + 300,
    bubbles: true, cancelable: true, ${options}}));`;

function told(what: string, { script, frame }: { script: number[]; frame: number[] }) {
  const at = (times: number[], part: number) => times[Math.floor(part * (times.length - 1))];
  const line = (times: number[]) =>
    [0.5, 0.95].map((part) => at(times, part).toFixed(1)).join(' and ');
  console.log(
    `${what}: script ${line(script)} ms, frame to frame ${line(frame)} ms (median and 95%)`,
  );
  return at(script, 0.5);
}

it('stays fluid', { timeout: 180_000 }, async () => {
  const { id } = stage.server.source.add('long-text', '2000 tokens');
  const page = await stage.page();
  await page.goto(`${stage.url}/#/views?run=${id}&view=model`);
  await page.locator('canvas').waitFor();
  await expect
    .poll(() => stage.server.requests.filter((r) => r.includes('head=all')).length, {
      timeout: 60_000,
    })
    .toBe(24);
  await expect.poll(() => inkOf(page), { timeout: 20_000 }).toBeGreaterThan(50_000);

  await page.goto(`${stage.url}/#/views?run=${id}&view=map&layer=layer.3.self&head=1`);
  await page.locator('canvas').waitFor();
  await expect.poll(() => inkOf(page), { timeout: 20_000 }).toBeGreaterThan(5000);
  told('nothing', await frames(page, '', 60));
  const medians = [
    told('zoom in', await frames(page, wheel('deltaY: -8, ctrlKey: true'), 120)),
    told('pan', await frames(page, wheel('deltaY: 12, deltaX: 9'), 240)),
    told('zoom out', await frames(page, wheel('deltaY: 8, ctrlKey: true'), 120)),
  ];
  await page.goto(`${stage.url}/#/views?run=${id}&view=heads&layer=layer.3.self`);
  await expect.poll(() => inkOf(page).catch(() => 0), { timeout: 20_000 }).toBeGreaterThan(5000);
  medians.push(told('scroll heads', await frames(page, wheel('deltaY: 25'), 240)));
  const tiles = stage.server.requests.filter((r) => r.includes('/tile?'));
  console.log(`${tiles.length} tiles were asked for`);
  for (const median of medians) expect(median).toBeLessThan(1000 / 60);
  expect(stage.complaints).toEqual([]);
  await page.context().close();
});
