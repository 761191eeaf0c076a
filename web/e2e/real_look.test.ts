/** What `fovea look` writes, in Chromium: no server, no network. */
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { violations } from './accessibility';
import { inkOf, Stage } from './browser';
import { Program } from './real_program';

describe.skipIf(!process.env.FOVEA)('a page of fovea look', () => {
  const stage = new Stage();
  const program = new Program();
  beforeAll(async () => {
    await stage.open();
  }, 60_000);
  afterAll(async () => {
    await stage.close();
    await program.stop();
  });
  afterEach(() => expect(stage.complaints.splice(0)).toEqual([]));

  it('shows a translation in every view', { timeout: 120_000 }, async () => {
    program.trainTranslator();
    program.run('look', 'translator', 'two one five', 'three <four>', '--html', 'look.html');
    const file = join(program.folder, 'look.html');
    expect(statSync(file).size).toBeLessThan(400_000);
    const page = await stage.page();
    await page.goto(`file://${file}`);
    await expect.poll(() => inkOf(page).catch(() => 0)).toBeGreaterThan(5000);
    expect(await page.locator('main').textContent()).toContain('zwei eins fünf');
    const painted = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
    const first = (await page.evaluate(painted))!;
    console.log(`first paint after ${Math.round(first)} ms`);
    expect(first).toBeLessThan(1000);
    for (const name of ['Map', 'Heads', 'Model', 'Rollout']) {
      await page.getByRole('tab', { name, exact: true }).click();
      await expect.poll(() => inkOf(page), { timeout: 10_000 }).toBeGreaterThan(2000);
      expect(await violations(page), name).toEqual([]);
    }
    await page.getByRole('tab', { name: 'Received', exact: true }).click();
    await page.locator('.still-view svg').waitFor();
    expect(await page.locator('.still-view').textContent()).toContain('five');

    await page.getByRole('tab', { name: 'Map', exact: true }).click();
    await page.getByLabel('Layer').selectOption('decoder.1.cross');
    await page.locator('canvas').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await expect
      .poll(() => page.locator('.status').textContent())
      .toMatch(/\u201c.+\u201d \u2192 \u201c.+\u201d {2}[01]/);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain('pin=');
    const again = await stage.page();
    await again.goto(page.url());
    await expect.poll(() => inkOf(again).catch(() => 0)).toBeGreaterThan(5000);
    expect(await again.getByLabel('Layer').inputValue()).toBe('decoder.1.cross');

    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as npz' }).click();
    const saved = readFileSync((await (await coming).path())!);
    expect(saved.subarray(0, 2).toString()).toBe('PK');
    await page.context().close();
    await again.context().close();
  });

  it('holds 2,000 tokens', { timeout: 180_000 }, async () => {
    program.trainLong();
    program.run('look', 'long', program.longText(), '--keep', 'top-8', '--html', 'long.html');
    const file = join(program.folder, 'long.html');
    console.log(`6 layers of 4 heads of 2,000 tokens, the top 8: ${statSync(file).size} bytes`);
    const page = await stage.page();
    await page.goto(`file://${file}`);
    await page.getByRole('tab', { name: 'Model', exact: true }).click();
    await expect.poll(() => inkOf(page).catch(() => 0), { timeout: 60_000 }).toBeGreaterThan(5000);
    await page.getByRole('tab', { name: 'Map', exact: true }).click();
    await expect.poll(() => inkOf(page).catch(() => 0), { timeout: 60_000 }).toBeGreaterThan(2000);
    await page.getByRole('tab', { name: 'Document', exact: true }).click();
    await page.locator('.still-view svg').waitFor();
    await page.context().close();
  });

  it('is pictured', { timeout: 60_000 }, async () => {
    mkdirSync('shots', { recursive: true });
    const page = await stage.page({ height: 800 });
    await page.goto(`file://${join(program.folder, 'look.html')}`);
    await expect.poll(() => inkOf(page).catch(() => 0)).toBeGreaterThan(5000);
    await page.screenshot({ path: 'shots/real-look.png' });
    await page.context().close();
  });
});
