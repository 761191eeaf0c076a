/** The pictures of docs/ and the README, of a real model: FOVEA=... MODEL=runs/multi30k-en-fr npx vitest run
 * --dir e2e docs_pictures */
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inkOf, Stage } from './browser';
import { Program } from './real_program';

const sentence = 'A black dog runs on the beach with a ball in its mouth.';

describe.skipIf(!process.env.FOVEA || !process.env.MODEL)('pictures', () => {
  const stage = new Stage();
  const program = new Program();
  const docs = (name: string) => resolve(`../docs/${name}.png`);
  beforeAll(() => stage.open(), 60_000);
  afterAll(async () => {
    await stage.close();
    await program.stop();
  });

  it('of the views', { timeout: 120_000 }, async () => {
    program.run('look', resolve(process.env.MODEL!), sentence, '--words', '--html', 'look.html');
    const page = await stage.page({ width: 1080, height: 640 });
    await page.goto(`file://${program.folder}/look.html`);
    await expect.poll(() => inkOf(page).catch(() => 0)).toBeGreaterThan(5000);
    for (const name of ['Heads', 'Model']) {
      await page.getByRole('tab', { name, exact: true }).click();
      await expect.poll(() => inkOf(page).catch(() => 0)).toBeGreaterThan(2000);
      await page.waitForTimeout(500);
      await page.screenshot({ path: docs(`viewer-${name.toLowerCase()}`) });
    }
    await page.context().close();
  });

  it('of the playground', { timeout: 120_000 }, async () => {
    const url = await program.serve('serve', resolve(process.env.MODEL!), '--port', '0');
    const page = await stage.page({ width: 1080, height: 480 });
    await page.goto(url);
    await page.getByLabel('Text for the model').fill(sentence);
    await page.getByRole('button', { name: 'Run' }).click();
    const target = page.getByRole('group', { name: 'target' });
    await target.waitFor();
    await target.locator('.token').nth(1).click();
    await page.waitForTimeout(500);
    await page.screenshot({ path: docs('playground') });
    await page.context().close();
  });
});
