/** `fovea serve` and `fovea train --watch` in Chromium, with models that were trained a moment ago. */
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { violations } from './accessibility';
import { inkOf, Stage } from './browser';
import { Program } from './real_program';

describe.skipIf(!process.env.FOVEA)('the program', () => {
  const stage = new Stage();
  const program = new Program();
  let url = '';
  beforeAll(async () => {
    await stage.open();
    program.trainTranslator();
    program.trainLong();
    url = await program.serve('serve', 'translator', 'long', '--port', '0');
  }, 120_000);
  afterAll(async () => {
    await stage.close();
    await program.stop();
  });
  afterEach(() => expect(stage.complaints.splice(0)).toEqual([]));

  it('answers in the playground, where words light up', { timeout: 60_000 }, async () => {
    const page = await stage.page();
    await page.goto(url);
    const text = page.getByLabel('Text for the model');
    await text.fill('two one five');
    const painted = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
    await expect.poll(() => page.evaluate(painted)).toBeGreaterThan(0);
    const first = (await page.evaluate(painted))!;
    console.log(`first paint after ${Math.round(first)} ms`);
    expect(first).toBeLessThan(1000);
    await page.getByRole('combobox', { name: 'Model' }).selectOption('translator');
    await page.getByRole('button', { name: 'Run' }).click();
    const target = page.getByRole('group', { name: 'target' });
    const source = page.getByRole('group', { name: 'source' });
    await target.waitFor();
    expect(await target.locator('.token').allTextContents()).toEqual([
      'zwei',
      'eins',
      'fünf',
      '</s>',
    ]);
    await target.getByRole('button', { name: 'fünf' }).hover();
    const lit = () =>
      source.locator('.token').evaluateAll((all) => all.some((e) => e.style.background !== ''));
    await expect.poll(lit).toBe(true);
    await target.getByRole('button', { name: 'fünf' }).click();
    await page.mouse.move(0, 0);
    expect(await lit()).toBe(true);
    expect(await violations(page)).toEqual([]);

    await page.getByRole('button', { name: 'See every layer and head' }).click();
    await expect.poll(() => inkOf(page).catch(() => 0)).toBeGreaterThan(2000);
    for (const name of ['Heads', 'Model', 'Rollout', 'Map']) {
      await page.getByRole('tab', { name, exact: true }).click();
      await expect.poll(() => inkOf(page).catch(() => 0)).toBeGreaterThan(2000);
    }
    await page.getByRole('tab', { name: 'Entropy and distance', exact: true }).click();
    await page.locator('.still-view svg').waitFor();
    await page.getByRole('tab', { name: 'Map', exact: true }).click();
    await page.getByLabel('Layer').selectOption('encoder.1.self');
    await expect.poll(() => page.url()).toContain('layer=encoder.1.self');

    const again = await stage.page();
    await again.goto(page.url());
    await expect.poll(() => inkOf(again).catch(() => 0)).toBeGreaterThan(2000);
    expect(await again.getByLabel('Layer').inputValue()).toBe('encoder.1.self');
    for (const format of ['svg', 'png', 'json', 'npz']) {
      const coming = again.waitForEvent('download');
      await again.getByRole('button', { name: `Save as ${format}` }).click();
      const saved = readFileSync((await (await coming).path())!);
      if (format === 'json') {
        const { shown } = JSON.parse(saved.toString());
        const sums = shown.weights.map((row: number[]) => row.reduce((a, b) => a + b, 0));
        for (const sum of sums) expect(sum).toBeCloseTo(1, 2);
      }
      expect(saved.length).toBeGreaterThan(100);
    }
    await page.context().close();
    await again.context().close();
  });

  it('shows 2,000 tokens', { timeout: 120_000 }, async () => {
    const page = await stage.page();
    await page.goto(url);
    await page.getByLabel('Text for the model').fill(program.longText());
    await page.getByRole('combobox', { name: 'Model' }).selectOption('long');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('button', { name: 'See every layer and head' }).click({ timeout: 60_000 });
    await page.getByRole('tab', { name: 'Model', exact: true }).click();
    await expect.poll(() => inkOf(page).catch(() => 0), { timeout: 60_000 }).toBeGreaterThan(5000);
    await page.getByRole('tab', { name: 'Map', exact: true }).click();
    await expect.poll(() => inkOf(page).catch(() => 0), { timeout: 60_000 }).toBeGreaterThan(2000);
    const bytes = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .reduce((sum, r) => sum + (r as PerformanceResourceTiming).transferSize, 0),
    );
    console.log(`${bytes} bytes of tiles and runs`);
    await page.context().close();
  });

  it('says what the server refused', { timeout: 30_000 }, async () => {
    const page = await stage.page();
    await page.goto(`${url}/#/views?run=gone`);
    await page.getByRole('alert').waitFor();
    await page.goto(`${url}/#/training`);
    await expect.poll(() => page.locator('.facts').textContent()).toContain('fovea train --watch');
    await page.context().close();
  });

  it('is watched while it trains', { timeout: 120_000 }, async () => {
    const watched = await program.serve(
      ...['train', 'translate.toml', '--out', 'watched', '--watch', '--port', '0', '--quiet'],
      ...['--set', 'train.epochs=100000', '--set', 'train.log_every=5'],
    );
    const page = await stage.page();
    await page.goto(`${watched}/#/training`);
    await page.getByRole('img', { name: 'loss' }).waitFor({ timeout: 60_000 });
    await expect.poll(() => page.locator('.facts').textContent()).toContain('a second');
    await page.locator('.attention svg').waitFor();
    expect(await page.locator('.samples').textContent()).toContain('Reference');
    const step = async () => (await page.locator('.facts').textContent())!.match(/Step ([\d,]+)/)![1];
    const before = await step();
    await expect.poll(step, { timeout: 30_000 }).not.toBe(before);
    expect(await violations(page)).toEqual([]);
    await page.context().close();
  });
});
