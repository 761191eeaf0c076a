/** Where in a picture a token looked: patches shaded over it, or glimpses in their order. */
import { fromBase64, one } from '../bytes';
import { lineColour } from '../colour';
import { h } from '../dom';
import { readable } from '../layout';
import type { Pen } from '../pen';
import { theme } from '../theme';
import { tilesOver } from '../tiles';
import { tokensBesidePatches, tokensOf, type Picture } from '../types';
import { listenTo } from './gestures';
import { CanvasView, chosen, roomBelow, type Panel } from './view';

function pixelsOf(picture: Picture): HTMLCanvasElement {
  const { width, height, channels } = picture;
  const bytes = fromBase64(picture.pixels);
  const image = h('canvas', { width, height });
  const to = image.getContext('2d')!;
  const data = to.createImageData(width, height);
  for (let i = 0; i < width * height; ++i) {
    for (let c = 0; c < 3; ++c)
      data.data[4 * i + c] = bytes[i * channels + (channels === 1 ? 0 : c)];
    data.data[4 * i + 3] = 255;
  }
  to.putImageData(data, 0, 0);
  return image;
}

export class ImageView extends CanvasView {
  private readonly picture: Picture;
  private readonly image: HTMLCanvasElement;
  private readonly list = h('div', { class: 'tokens' });
  /** The sequence whose tokens stand in the list. */
  private listed?: string;
  private scale = 1;

  constructor(panel: Panel) {
    super(
      panel,
      'The picture, shaded where the chosen token looked. Left and right choose a token.',
    );
    this.picture = panel.run.image!;
    this.image = pixelsOf(this.picture);
    listenTo(this.canvas, {
      move: () => false,
      zoom: () => {},
      hover: () => {},
      click: (x, y) => this.pinPatch(x, y),
    });
    this.element.append(this.list);
  }

  private queries(): string[] {
    return tokensOf(this.panel.run, chosen(this.panel).layer.queries);
  }

  private get query() {
    return Math.min(this.panel.store.state.pin ?? 0, this.queries().length - 1);
  }

  /** Tokens that are no part of the picture; those that are its patches are clicked in it. */
  private showTokens() {
    const { run } = this.panel;
    if (!run.layers.length) return;
    const { layer } = chosen(this.panel);
    if (layer.queries === this.listed) return;
    this.listed = layer.queries;
    this.list.replaceChildren(
      ...tokensBesidePatches(run, layer.queries).map(({ token, at }) => {
        const choose = () => this.panel.store.set({ pin: at });
        return h('button', { class: 'token', onclick: choose, 'data-index': at }, token);
      }),
    );
  }

  protected heightFor(width: number): number {
    const fit = Math.min(width / this.picture.width, roomBelow() / this.picture.height);
    this.scale = fit > 1 ? Math.min(Math.floor(fit), 16) : fit;
    this.showTokens();
    this.list.querySelectorAll<HTMLElement>('.token').forEach((button) => {
      button.setAttribute('aria-pressed', String(Number(button.dataset.index) === this.query));
    });
    return this.picture.height * this.scale;
  }

  private pinPatch(x: number, y: number) {
    const { patches } = this.picture;
    if (!patches || chosen(this.panel).layer.queries !== patches.sequence) return;
    const column = Math.floor((x / this.scale / this.picture.width) * patches.columns);
    const row = Math.floor((y / this.scale / this.picture.height) * patches.rows);
    if (column >= patches.columns || row >= patches.rows) return;
    this.panel.store.set({ pin: patches.first + row * patches.columns + column });
  }

  protected key(event: KeyboardEvent): boolean {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (!step || !this.panel.run.layers.length) return false;
    const pin = Math.min(Math.max(this.query + step, 0), this.queries().length - 1);
    this.panel.store.set({ pin });
    return true;
  }

  protected paint(pen: Pen) {
    const [width, height] = [this.picture.width * this.scale, this.picture.height * this.scale];
    pen.picture(this.image, 0, 0, width, height);
    if (this.picture.patches && this.panel.run.layers.length) this.paintPatches(pen, width, height);
    this.picture.glimpses?.forEach((glimpse, i) => {
      const [x, y] = [glimpse.x * this.scale, glimpse.y * this.scale];
      const { colour } = lineColour(theme(), i);
      const opacity = 0.4 + 0.6 * (glimpse.weight ?? 1);
      const [wide, high] = [glimpse.width * this.scale, glimpse.height * this.scale];
      pen.outline(x, y, wide, high, { colour, width: 3, opacity });
      pen.rect(x, y, 20, 18, colour);
      pen.text(x + 10, y + 13, String(i + 1), { colour: '#ffffff', bold: true, align: 'middle' });
    });
  }

  /** The less a patch was looked at, the more it is veiled: in grey, which hides black pixels and
   * white ones alike. */
  private paintPatches(pen: Pen, width: number, height: number) {
    const { layer, head } = chosen(this.panel);
    const { sequence, first, rows, columns } = this.picture.patches!;
    if (layer.keys !== sequence) return;
    const weights = this.rowOf(layer.name, head, tokensOf(this.panel.run, sequence).length);
    if (!weights) return;
    const shown = weights.slice(first, first + rows * columns);
    const largest = Math.max(...shown, 1e-9);
    const [wide, high] = [width / columns, height / rows];
    shown.forEach((weight, i) => {
      const veil = Math.round(210 * (1 - weight / largest));
      const [x, y] = [(i % columns) * wide, Math.floor(i / columns) * high];
      const grey = '#808080' + veil.toString(16).padStart(2, '0');
      pen.rect(x, y, wide, high, grey, readable(weight));
    });
    if (layer.queries === sequence && this.query >= first) {
      const at = this.query - first;
      const [x, y] = [(at % columns) * wide, Math.floor(at / columns) * high];
      pen.outline(x, y, wide, high, { colour: lineColour(theme(), 0).colour, width: 3 });
    }
  }

  private rowOf(layer: string, head: number | 'mean', keys: number): number[] | undefined {
    const query = this.query;
    const queries = this.queries().length;
    const out: number[] = [];
    const range = { q0: query, q1: query + 1, k0: 0, k1: keys };
    for (const box of tilesOver(range, 1, queries, keys)) {
      const tile = this.panel.tiles.get(this.panel.run, layer, head, box);
      if (!tile) return undefined;
      const columns = box.k1 - box.k0;
      const start = (query - box.q0) * columns;
      for (let i = 0; i < columns; ++i) out.push(tile[start + i] / one);
    }
    return out;
  }
}
