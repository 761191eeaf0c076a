import { readFileSync } from 'node:fs';
import type { Download } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { violations } from './accessibility';
import { inkOf, Stage } from './browser';
import { translation } from './mock_data';

const stage = new Stage();
const inViews = (id: string, rest = '') => `${stage.url}/#/views?run=${id}${rest}`;

beforeAll(() => stage.open(), 60_000);
afterAll(() => stage.close());
afterEach(() => expect(stage.complaints.splice(0)).toEqual([]));

async function bytesOf(download: Download): Promise<Buffer> {
  return readFileSync((await download.path())!);
}

describe('the playground', () => {
  it('answers, lights up and pins', { timeout: 60_000 }, async () => {
    const page = await stage.page();
    await page.goto(stage.url);
    await page.getByLabel('Text for the model').fill('The little dog');
    const painted = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
    await expect.poll(() => page.evaluate(painted)).toBeGreaterThan(0);
    const first = (await page.evaluate(painted))!;
    console.log(`first paint after ${Math.round(first)} ms`);
    expect(first).toBeLessThan(1000);
    await page.getByRole('button', { name: 'Run' }).click();
    await page.locator('.coming .token').nth(2).waitFor();
    const target = page.getByRole('group', { name: 'target' });
    const source = page.getByRole('group', { name: 'source' });
    await target.waitFor();
    expect(await target.locator('.token').allTextContents()).toContain('Hund');
    expect(await page.locator('.output').count()).toBe(0);

    await target.getByRole('button', { name: 'Hund' }).hover();
    const dog = source.getByRole('button', { name: 'dog' });
    await expect.poll(() => dog.evaluate((e) => e.style.background)).toContain('rgb');
    const house = source.getByRole('button', { name: 'house' });
    expect(await house.evaluate((e) => e.style.background)).not.toBe(
      await dog.evaluate((e) => e.style.background),
    );
    expect(await page.locator('.lines .status').textContent()).toMatch(
      /\u201cHund\u201d \u2192 \u201cdog\u201d 0\.\d/,
    );

    await target.getByRole('button', { name: 'Hund' }).click();
    await page.mouse.move(0, 0);
    expect(await dog.evaluate((e) => e.style.background)).toContain('rgb');
    expect(await target.getByRole('button', { name: 'Hund' }).getAttribute('aria-pressed')).toBe(
      'true',
    );
    expect(await violations(page)).toEqual([]);

    await page.getByRole('button', { name: 'See every layer and head' }).click();
    await page.locator('canvas').waitFor();
    expect(page.url()).toContain('#/views?run=r');
    await page.context().close();
  });

  it('says what the server refused', { timeout: 30_000 }, async () => {
    const page = await stage.page();
    await page.goto(stage.url);
    await page.getByLabel('Text for the model').fill(' ');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toBe('the input is empty');
    await page.context().close();
  });
});

describe('the views', () => {
  it('switch, and are drawn', { timeout: 90_000 }, async () => {
    const { id } = stage.server.source.add('en-de', 'The little dog');
    const page = await stage.page();
    await page.goto(inViews(id));
    for (const name of ['Map', 'Heads', 'Model', 'Rollout']) {
      await page.getByRole('tab', { name, exact: true }).click();
      await expect.poll(() => inkOf(page), { timeout: 10_000 }).toBeGreaterThan(5000);
      expect(await violations(page), name).toEqual([]);
    }
    for (const name of ['Received', 'Entropy and distance', 'Halting', 'Samples']) {
      await page.getByRole('tab', { name, exact: true }).click();
      await page.locator('.still-view svg').waitFor();
      expect(await page.locator('.still-view svg > *').count(), name).toBeGreaterThan(20);
      expect(await violations(page), name).toEqual([]);
    }
    await page.context().close();
  });

  it('show documents and pictures', { timeout: 60_000 }, async () => {
    const page = await stage.page({ scheme: 'dark' });
    await page.goto(inViews(stage.server.source.add('reviews', 'a film').id, '&view=document'));
    await page.locator('.still-view svg').waitFor();
    const shade = (word: string) =>
      page.locator(`rect:has(title:text("${word}:"))`).first().getAttribute('fill');
    expect(await shade('beautifully')).not.toBe(await shade('loud'));
    expect(await violations(page)).toEqual([]);
    await page.goto(inViews(stage.server.source.add('captions', 'ball.png').id, '&view=image'));
    await page.getByRole('button', { name: 'ball', exact: true }).click();
    await expect.poll(() => page.url()).toContain('pin=2');
    await expect.poll(() => inkOf(page)).toBeGreaterThan(5000);
    expect(await violations(page)).toEqual([]);
    await page.context().close();
  });

  it('answer to the keyboard, and a link restores them', { timeout: 60_000 }, async () => {
    const { id } = stage.server.source.add('en-de', 'The little dog');
    const page = await stage.page();
    await page.goto(inViews(id));
    await page.locator('canvas').focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight'])
      await page.keyboard.press(key);
    await expect
      .poll(() => page.locator('.status').textContent())
      .toMatch(/\u201cHund\u201d \u2192 \u201cdog\u201d {2}0\.\d/);
    await page.keyboard.press('Enter');
    await page.keyboard.press(']');
    await page.keyboard.press('.');
    await page.keyboard.press('.');
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    await page.getByLabel('Threshold').fill('12');
    const wanted = [
      'view=map',
      'layer=decoder.5.self',
      'head=1',
      'threshold=0.12',
      'pin=2',
      'frame=',
    ];
    for (const part of wanted) await expect.poll(() => page.url()).toContain(part);

    const again = await stage.page();
    await again.goto(page.url());
    await again.locator('canvas').waitFor();
    expect(await again.getByLabel('Layer').inputValue()).toBe('decoder.5.self');
    expect(await again.getByRole('combobox', { name: 'Head', exact: true }).inputValue()).toBe('1');
    expect(await again.getByLabel('Threshold').inputValue()).toBe('12');
    await expect.poll(async () => (await inkOf(again)) > 5000).toBe(true);
    await page.context().close();
    await again.context().close();
  });

  it('run again what the server has forgotten', { timeout: 30_000 }, async () => {
    const page = await stage.page();
    await page.goto(inViews('gone', '&model=en-de&input=Hello&view=heads'));
    await page.locator('canvas').waitFor();
    expect(page.url()).not.toContain('run=gone');
    await page.goto(inViews('gone-too'));
    await page.getByRole('alert').waitFor();
    await page.context().close();
  });

  it('compare two runs, also on a narrow screen', { timeout: 60_000 }, async () => {
    const first = stage.server.source.add('en-de', 'The little dog').id;
    const second = stage.server.source.add('en-de-small', 'The little dog').id;
    const page = await stage.page();
    await page.goto(inViews(first));
    await page.getByLabel('Compare with').selectOption(second);
    await expect.poll(() => page.locator('canvas').count()).toBe(2);
    const boxes = await page
      .locator('canvas')
      .evaluateAll((all) => all.map((c) => c.getBoundingClientRect().top));
    expect(boxes[0]).toBe(boxes[1]);
    await expect.poll(() => page.url()).toContain(`with=${second}`);
    const link = page.url();
    const narrow = await stage.page({ width: 360, height: 740 });
    await narrow.goto(link);
    await expect.poll(() => narrow.locator('canvas').count()).toBe(2);
    for (const view of ['map', 'heads', 'model', 'received', 'measures']) {
      await narrow.goto(inViews(first, `&view=${view}`));
      await narrow.locator('canvas, .still-view svg').first().waitFor();
      const wide = await narrow.evaluate(() => document.documentElement.scrollWidth);
      expect(wide, view).toBeLessThanOrEqual(360);
    }
    expect(await violations(narrow)).toEqual([]);
    await page.context().close();
    await narrow.context().close();
  });

  it('export SVG, PNG, JSON and npz', { timeout: 60_000 }, async () => {
    const { id } = stage.server.source.add('en-de', 'The little dog');
    const page = await stage.page();
    await page.goto(inViews(id));
    await expect.poll(() => inkOf(page).catch(() => 0)).toBeGreaterThan(5000);
    const save = async (format: string) => {
      const coming = page.waitForEvent('download');
      await page.getByRole('button', { name: `Save as ${format}` }).click();
      const download = await coming;
      expect(download.suggestedFilename()).toBe(`fovea-${id}-map.${format}`);
      return bytesOf(download);
    };
    const svg = (await save('svg')).toString();
    expect(svg).toMatch(/^<svg [^>]*>.*Hund.*<\/svg>$/s);
    expect((await save('png')).subarray(1, 4).toString()).toBe('PNG');
    const json = JSON.parse((await save('json')).toString());
    expect(json.shown.weights).toHaveLength(12);
    expect(json.shown.weights[2][2]).toBeGreaterThan(0.3);
    expect((await save('npz')).subarray(0, 2).toString()).toBe('PK');
    await page.context().close();
  });
});

describe('the training page', () => {
  it('draws curves, samples and attention', { timeout: 30_000 }, async () => {
    const page = await stage.page();
    await page.goto(`${stage.url}/#/training`);
    await page.getByRole('img', { name: 'bleu' }).waitFor();
    expect(await page.locator('.facts').textContent()).toContain('Step 8,000');
    expect(await page.locator('.samples').textContent()).toContain('Reference');
    await page.getByLabel('Step of the picture').fill('0');
    await expect.poll(() => page.locator('.attention h2').textContent()).toContain('step 500');
    expect(await violations(page)).toEqual([]);
    await page.context().close();
  });
});

describe('the page that holds its data', () => {
  it('needs no server', { timeout: 30_000 }, async () => {
    const data = { title: 'look', runs: [translation('only')] };
    const html = readFileSync(new URL('../dist/index.html', import.meta.url), 'utf8');
    const json = JSON.stringify(data).replaceAll('<', '\\u003c');
    expect(html.split('<!-- fovea-data -->')).toHaveLength(2);
    const script = `<script type="application/json" id="fovea-data">${json}</script>`;
    const page = await stage.page();
    const asked: string[] = [];
    await page.route('**/*', (route) => {
      asked.push(route.request().url());
      return route.fulfill({
        contentType: 'text/html',
        body: html.replace('<!-- fovea-data -->', () => script),
      });
    });
    await page.goto('http://page.test/look.html');
    await expect.poll(() => inkOf(page).catch(() => 0)).toBeGreaterThan(5000);
    expect(await page.getByRole('button', { name: 'Playground' }).count()).toBe(0);
    expect(asked).toEqual(['http://page.test/look.html']);
    await page.context().close();
  });
});
