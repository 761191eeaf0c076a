/** What axe finds wrong with a page. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function violations(page: Page) {
  await page.evaluate(axe); // not a script element: the page's policy would refuse it
  const found = await page.evaluate(() =>
    (window as unknown as { axe: typeof import('axe-core') }).axe.run(),
  );
  return found.violations.map((v) => `${v.id}: ${v.nodes.map((node) => node.html).join(' | ')}`);
}
