import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vite';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');

/** What sha256sum says of what sha256sum says of all sources: web/check compares it, without npm. */
function hashOfSources(): string {
  const parts = ['index.html', 'package.json', 'package-lock.json', 'tsconfig.json', 'vite.config.ts'];
  const inside = readdirSync('src', { recursive: true, withFileTypes: true });
  for (const file of inside) if (file.isFile()) parts.push(`${file.parentPath}/${file.name}`);
  return sha256(parts.sort().map((name) => `${sha256(readFileSync(name))}  ${name}\n`).join(''));
}

/** Puts scripts and styles into the page: one file to embed, to serve and to send around. */
function oneFile(): Plugin {
  return {
    name: 'one-file',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = bundle['index.html'];
      if (page?.type !== 'asset') throw new Error('one-file: there is no index.html');
      let html = String(page.source);
      for (const [name, part] of Object.entries(bundle)) {
        if (part.type === 'chunk') {
          const tag = new RegExp(`<script[^>]*src="[^"]*${part.fileName}"[^>]*></script>`);
          const code = part.code.replaceAll('</script', '<\\/script');
          html = html.replace(tag, '');
          html = html.replace('</body>', () => `<script type="module">${code}</script>\n</body>`);
        } else if (name.endsWith('.css')) {
          const tag = new RegExp(`<link[^>]*href="[^"]*${part.fileName}"[^>]*>`);
          html = html.replace(tag, () => `<style>${part.source}</style>`);
        } else {
          continue;
        }
        delete bundle[name];
      }
      const sources = `<meta name="fovea-sources" content="${hashOfSources()}">`;
      page.source = html.replace('</head>', () => `${sources}\n</head>`);
    },
  };
}

export default defineConfig({
  base: './',
  plugins: [oneFile()],
  build: { target: 'es2022', modulePreload: false, cssCodeSplit: false, assetsInlineLimit: 1 << 20 },
});
