/** Two columns of tokens joined by lines: who looks at whom, a colour for each head. */
import { one } from '../bytes';
import { lineColour, strengthOf } from '../colour';
import { readable, shorten } from '../layout';
import { widthOf, type Pen } from '../pen';
import { columnsOf } from '../source';
import { theme } from '../theme';
import { tilesOver } from '../tiles';
import { tokensOf, type Layer } from '../types';
import { listenTo } from './gestures';
import { CanvasView, chosen, roomBelow, type Panel } from './view';

const rowHeight = 24;
const margin = 14;
/** Weaker lines, and more of them, would only be fog. */
const faintest = 0.02;
const mostLines = 500;
/** While the columns move, the strongest must do: without a graphics card lines take long. */
const mostMoving = 160;

interface Link {
  head: number;
  query: number;
  key: number;
  weight: number;
}

export class HeadsView extends CanvasView {
  private layer!: Layer;
  private queries: string[] = [];
  private keys: string[] = [];
  private offset = 0;
  /** Set while the columns move. */
  private moving: ReturnType<typeof setTimeout> | undefined;
  /** A token of either side under the cursor. */
  private at: { side: 'query' | 'key'; index: number } | undefined;

  constructor(panel: Panel) {
    super(panel, 'Lines from tokens to what they look at. Up and down move, Enter pins a token.');
    listenTo(this.canvas, {
      move: (_, dy) => this.scroll(dy),
      zoom: () => {},
      hover: (point) => this.hover(point && this.tokenAt(point.x, point.y)),
      click: (x, y) => {
        const token = this.tokenAt(x, y);
        const same = token?.side !== 'query' || token.index === panel.store.state.pin;
        panel.store.set({ pin: same ? undefined : token.index });
      },
    });
  }

  protected heightFor(): number {
    this.layer = chosen(this.panel).layer;
    this.queries = tokensOf(this.panel.run, this.layer.queries);
    this.keys = tokensOf(this.panel.run, this.layer.keys);
    this.at = undefined;
    const room = roomBelow();
    this.canvas.style.touchAction = this.contentHeight() > room ? 'none' : '';
    return Math.min(this.contentHeight(), room);
  }

  private contentHeight() {
    return Math.max(this.queries.length, this.keys.length) * rowHeight + 2 * margin;
  }

  private scroll(by: number): boolean {
    const most = Math.max(this.contentHeight() - this.height, 0);
    const next = Math.min(Math.max(this.offset + by, 0), most);
    if (next === this.offset) return false;
    this.offset = next;
    clearTimeout(this.moving);
    this.moving = setTimeout(() => {
      this.moving = undefined;
      this.refresh();
    }, 150);
    this.refresh();
    return true;
  }

  /** The pixels by which a column is scrolled: the shorter one moves less, both end together. */
  private shift(count: number): number {
    const most = this.contentHeight() - this.height;
    if (most <= 0) return 0;
    return (this.offset * Math.max(count * rowHeight + 2 * margin - this.height, 0)) / most;
  }

  private rowY(index: number, count: number) {
    return margin + (index + 0.5) * rowHeight - this.shift(count);
  }

  private seen(count: number): [number, number] {
    const shift = this.shift(count) - margin;
    const first = Math.max(Math.floor(shift / rowHeight), 0);
    return [first, Math.min(Math.ceil((shift + this.height) / rowHeight), count)];
  }

  private columns(): { left: number; right: number } {
    const room = Math.min(this.width * 0.32, 180);
    const longest = (tokens: string[], [first, last]: [number, number]) =>
      Math.max(...tokens.slice(first, last).map((t) => widthOf(shorten(t, 18))), 20);
    const left = Math.min(longest(this.queries, this.seen(this.queries.length)), room);
    const right = Math.min(longest(this.keys, this.seen(this.keys.length)), room);
    // Lines need some way to bend, but on wide screens the columns should not drift apart.
    const spread = Math.min(this.width - left - right - 40, 520);
    const start = Math.max((this.width - left - right - 40 - spread) / 2, 0);
    return { left: start + left + 20, right: start + left + 20 + spread };
  }

  private tokenAt(x: number, y: number) {
    const { left, right } = this.columns();
    const side = x < (left + right) / 2 ? ('query' as const) : ('key' as const);
    const count = side === 'query' ? this.queries.length : this.keys.length;
    const index = Math.floor((y - margin + this.shift(count)) / rowHeight);
    return index >= 0 && index < count ? { side, index } : undefined;
  }

  private hover(token: HeadsView['at']) {
    if (token?.side === this.at?.side && token?.index === this.at?.index) return;
    this.at = token;
    this.describe();
    this.refresh();
  }

  private describe() {
    if (!this.at) return this.panel.say();
    const { side, index } = this.at;
    const mine = this.links().filter((link) => link[side] === index);
    const best = mine.sort((a, b) => b.weight - a.weight).slice(0, 3);
    const word = (side === 'query' ? this.queries : this.keys)[index];
    const list = best.map((link) => {
      const other = side === 'query' ? this.keys[link.key] : this.queries[link.query];
      return `\u201c${other}\u201d ${readable(link.weight)} (head ${link.head})`;
    });
    const verb = side === 'query' ? '\u2192' : '\u2190';
    this.panel.say(`\u201c${word}\u201d ${verb} ${list.join(', ')}`);
  }

  protected key(event: KeyboardEvent): boolean {
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      const from = this.at?.side === 'query' ? this.at.index : -1;
      const to = from + (event.key === 'ArrowDown' ? 1 : -1);
      const index = Math.min(Math.max(to, 0), this.queries.length - 1);
      const y = this.rowY(index, this.queries.length);
      if (y < rowHeight) this.scroll(y - rowHeight);
      if (y > this.height - rowHeight) this.scroll(y - this.height + rowHeight);
      this.hover({ side: 'query', index });
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.panel.store.set({ pin: this.at?.side === 'query' ? this.at.index : undefined });
    } else if (event.key === 'Escape') {
      this.panel.store.set({ pin: undefined });
      this.hover(undefined);
    } else {
      return false;
    }
    return true;
  }

  private shownHeads(): number[] {
    const { heads } = this.panel.store.state;
    return heads ? this.layer.heads.filter((head) => heads.includes(head)) : this.layer.heads;
  }

  /** Between the tokens that are seen. */
  private links(): Link[] {
    const [q0, q1] = this.seen(this.queries.length);
    const [k0, k1] = this.seen(this.keys.length);
    const least = Math.max(this.panel.store.state.threshold, faintest) * one;
    const links: Link[] = [];
    const range = { q0, q1, k0, k1 };
    const boxes = tilesOver(range, 1, this.queries.length, this.keys.length);
    for (const head of this.shownHeads()) {
      for (const box of boxes) {
        const tile = this.panel.tiles.get(this.panel.run, this.layer.name, head, box);
        if (!tile) continue;
        for (let query = Math.max(q0, box.q0); query < Math.min(q1, box.q1); ++query) {
          const row = (query - box.q0) * columnsOf(box) - box.k0;
          for (let key = Math.max(k0, box.k0); key < Math.min(k1, box.k1); ++key) {
            const weight = tile[row + key];
            if (weight >= least) links.push({ head, query, key, weight: weight / one });
          }
        }
      }
    }
    const most = this.moving ? mostMoving : mostLines;
    if (links.length <= most) return links;
    return links.sort((a, b) => b.weight - a.weight).slice(0, most);
  }

  override close() {
    clearTimeout(this.moving);
    super.close();
  }

  protected paint(pen: Pen) {
    const { left, right } = this.columns();
    const { pin } = this.panel.store.state;
    const mark =
      this.at ?? (pin === undefined ? undefined : { side: 'query' as const, index: pin });
    const near = new Set<number>();
    const heads = this.shownHeads();
    // Heads that look at the same stand side by side.
    const apart = Math.min(3, (rowHeight - 8) / heads.length);
    const aside = (head: number) => (heads.indexOf(head) - (heads.length - 1) / 2) * apart;
    pen.clip(left, 0, right - left, this.height, () => {
      for (const { head, query, key, weight } of this.links()) {
        if (mark && (mark.side === 'query' ? query : key) !== mark.index) continue;
        near.add(mark?.side === 'key' ? query : key);
        const { colour, dashed } = lineColour(theme(), this.layer.heads.indexOf(head));
        const strength = strengthOf(weight, this.keys.length);
        const y1 = this.rowY(query, this.queries.length) + aside(head);
        const y2 = this.rowY(key, this.keys.length) + aside(head);
        pen.bend(left, y1, right, y2, {
          colour,
          dashed: dashed && !this.moving,
          opacity: mark ? Math.max(strength, 0.15) : strength * 0.9,
          width: 0.75 + 2.25 * weight,
        });
      }
    });
    const tokens = (side: 'query' | 'key', list: string[], x: number) => {
      const [first, last] = this.seen(list.length);
      for (let i = first; i < last; ++i) {
        const mine = mark?.side === side ? mark.index === i : near.has(i);
        const bold = mark?.side === side && mark.index === i;
        const colour = !mark || mine ? theme().ink : theme().quiet;
        const align = side === 'query' ? ('end' as const) : ('start' as const);
        pen.text(x, this.rowY(i, list.length) + 4.5, shorten(list[i], 18), { colour, bold, align });
      }
    };
    tokens('query', this.queries, left - 8);
    tokens('key', this.keys, right + 8);
  }
}
