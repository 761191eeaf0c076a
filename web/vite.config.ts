import { defineConfig, type Plugin } from 'vite';

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
      page.source = html;
    },
  };
}

export default defineConfig({
  base: './',
  plugins: [oneFile()],
  build: { modulePreload: false, cssCodeSplit: false, assetsInlineLimit: 1 << 20 },
});
