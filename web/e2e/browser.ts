/** Debian's Chromium with a page of the mock server. */
import { chromium, type Browser, type Page } from 'playwright-core';
import { MockServer } from './mock_server';

export class Stage {
  readonly server = new MockServer();
  /** What the page complained about. */
  readonly complaints: string[] = [];
  url = '';
  private browser!: Browser;

  async open(): Promise<this> {
    this.url = await this.server.start();
    this.browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    });
    return this;
  }

  async page(
    options: { width?: number; height?: number; scheme?: 'light' | 'dark' } = {},
  ): Promise<Page> {
    const context = await this.browser.newContext({
      viewport: { width: options.width ?? 1280, height: options.height ?? 860 },
      colorScheme: options.scheme ?? 'light',
      acceptDownloads: true,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (message) => {
      // A browser reports every answer of 400 and more, also those that the page handles.
      const handled = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !handled) this.complaints.push(message.text());
    });
    return page;
  }

  async close() {
    await this.browser?.close();
    this.server.stop();
  }
}

/** The drawn part of a canvas: how many of its pixels differ from the first. */
export function inkOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    const canvas = document.querySelector('canvas')!;
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    let different = 0;
    for (let i = 4; i < data.length; i += 4) {
      if (data[i] !== data[0] || data[i + 1] !== data[1] || data[i + 2] !== data[2]) ++different;
    }
    return different;
  });
}
