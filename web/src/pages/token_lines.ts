/** Two lines of words that light up when the other side looks at them. */
import { one } from '../bytes';
import { heat, inkOn } from '../colour';
import { h } from '../dom';
import { readable } from '../layout';
import type { Source } from '../source';
import { theme } from '../theme';
import { tilesOver, TileStore } from '../tiles';
import { alignmentOf, tokensOf, type Run } from '../types';

type Side = 'queries' | 'keys';

export class TokenLines {
  readonly element = h('div', { class: 'lines' });
  private readonly tiles: TileStore;
  private readonly buttons: Record<Side, HTMLElement[]> = { queries: [], keys: [] };
  private readonly status = h('p', { class: 'status', role: 'status' });
  private hovered: { side: Side; index: number } | undefined;

  constructor(
    private readonly run: Run,
    source: Source,
    private pin: number | undefined,
    private readonly pinned: (pin: number | undefined) => void,
  ) {
    this.tiles = new TileStore(
      source,
      () => this.paint(),
      (error) => (this.status.textContent = String(error)),
    );
    const choice = alignmentOf(run);
    if (!choice) return;
    const { queries, keys } = choice.layer;
    const output = this.line(queries, 'queries');
    const input = this.line(keys, 'keys');
    this.element.append(input, output, this.status);
    this.paint();
  }

  /** Those that look. */
  get words(): string[] {
    return this.buttons.queries.map((button) => button.textContent);
  }

  close() {
    this.tiles.close();
  }

  private line(sequence: string, side: Side): HTMLElement {
    const line = h('div', { class: 'tokens' });
    tokensOf(this.run, sequence).forEach((token, index) => {
      const look = () => this.hover({ side, index });
      const button = h(
        'button',
        { class: 'token', onpointerenter: look, onfocus: look },
        token.trim() || '\u2423',
      );
      if (side === 'queries') button.addEventListener('click', () => this.flip(index));
      this.buttons[side].push(button);
      line.append(button);
    });
    const leave = () => this.hover(undefined);
    line.addEventListener('pointerleave', leave);
    line.addEventListener('focusout', leave);
    return h(
      'div',
      { class: side === 'queries' ? 'line answer' : 'line', role: 'group', 'aria-label': sequence },
      h('h2', {}, sequence),
      line,
    );
  }

  private hover(token: TokenLines['hovered']) {
    this.hovered = token;
    this.paint();
  }

  private flip(index: number) {
    this.pin = this.pin === index ? undefined : index;
    this.pinned(this.pin);
    this.paint();
  }

  private weight(query: number, key: number): number | undefined {
    const { layer, head } = alignmentOf(this.run)!;
    const [queries, keys] = [this.buttons.queries.length, this.buttons.keys.length];
    const range = { q0: query, q1: query + 1, k0: key, k1: key + 1 };
    const [box] = tilesOver(range, 1, queries, keys);
    const tile = this.tiles.get(this.run, layer.name, head, box);
    return tile && tile[(query - box.q0) * (box.k1 - box.k0) + key - box.k0] / one;
  }

  private paint() {
    const pin = this.pin === undefined ? undefined : { side: 'queries' as const, index: this.pin };
    const mark = this.hovered ?? pin;
    const lit: Side = mark?.side === 'keys' ? 'queries' : 'keys';
    for (const side of ['queries', 'keys'] as const) {
      const weights = this.buttons[side].map((_, i) => {
        if (!mark || side !== lit) return 0;
        const [query, key] = lit === 'keys' ? [mark.index, i] : [i, mark.index];
        return this.weight(query, key) ?? 0;
      });
      // The strongest is as dark as its weight; weak ones still show.
      this.buttons[side].forEach((button, i) => {
        const strength = Math.min(Math.sqrt(weights[i]) * 0.8, 1);
        const shaded = strength > 0.08;
        button.style.background = shaded ? heat(theme(), strength) : '';
        button.style.color = shaded ? inkOn(theme(), strength) : '';
        const isPin = side === 'queries' && i === this.pin;
        if (side === 'queries') button.setAttribute('aria-pressed', String(isPin));
        button.classList.toggle('looking', mark?.side === side && mark.index === i);
      });
      if (mark && side === lit) this.describe(mark, lit, weights);
    }
    if (!mark) this.status.textContent = 'Hover a word to see where it looked; click to pin it.';
  }

  private describe(mark: { side: Side; index: number }, lit: Side, weights: number[]) {
    const word = (side: Side, i: number) => `\u201c${this.buttons[side][i].textContent}\u201d`;
    const best = weights
      .map((weight, i) => ({ weight, i }))
      .filter(({ weight }) => weight >= 0.01)
      .sort((a, b) => b.weight - a.weight)
      .slice(0, 4)
      .map(({ weight, i }) => `${word(lit, i)} ${readable(Math.round(weight * 100) / 100)}`);
    const arrow = lit === 'keys' ? '\u2192' : '\u2190';
    this.status.textContent = `${word(mark.side, mark.index)} ${arrow} ${best.join(', ') || '\u2026'}`;
  }
}
