/** Pictures of the pages, in shots/: for people to look at. */
import { afterAll, beforeAll, it } from 'vitest';
import { Stage } from './browser';

const stage = new Stage();
beforeAll(() => stage.open(), 60_000);
afterAll(() => stage.close());

it('takes pictures', { timeout: 120_000 }, async () => {
  const { source } = stage.server;
  const small = source.add(
    'en-de-small',
    'The little dog runs through the tall grass behind the house .',
  ).id;
  const run = source.add(
    'en-de',
    'The little dog runs through the tall grass behind the house .',
  ).id;
  const review = source.add('reviews', 'a film').id;
  const photograph = source.add('captions', 'ball.png').id;
  const shots: [string, string, object?][] = [
    ['playground', `playground?run=${run}&model=en-de&pin=2`],
    ['map', `views?run=${run}&view=map&pin=4`],
    ['heads', `views?run=${run}&view=heads&heads=0.3.5`],
    ['model', `views?run=${run}&view=model`],
    ['document', `views?run=${review}&view=document`],
    ['image', `views?run=${photograph}&view=image&pin=2`],
    ['received', `views?run=${run}&view=received`],
    ['measures', `views?run=${run}&view=measures`],
    ['halting', `views?run=${run}&view=halting`],
    ['samples', `views?run=${run}&view=samples`],
    ['compare', `views?run=${run}&with=${small}&view=map`],
    ['training', 'training'],
    ['heads-dark', `views?run=${run}&view=heads`, { scheme: 'dark' }],
    ['map-dark', `views?run=${run}&view=map`, { scheme: 'dark' }],
    ['map-phone', `views?run=${run}&view=map`, { width: 360, height: 740 }],
    ['playground-phone', `playground?run=${run}&model=en-de&pin=2`, { width: 360, height: 740 }],
  ];
  for (const [name, hash, options] of shots) {
    const page = await stage.page({ height: 800, ...options });
    await page.goto(`${stage.url}/#/${hash}`);
    await page.locator('canvas, svg, .lines').first().waitFor();
    await page.waitForTimeout(300);
    await page.screenshot({ path: `shots/${name}.png`, fullPage: true });
    await page.context().close();
  }
});
