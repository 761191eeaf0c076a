/** What the views of a run can be asked: layer, head, threshold, zoom. */
import { heat, lineColour, strengthOf } from './colour';
import { h } from './dom';
import type { ViewName } from './hash';
import { theme } from './theme';
import { tokensOf } from './types';
import { chosen, chosenStack, type Panel } from './views/view';

const asks: Record<'layer' | 'head' | 'heads' | 'threshold' | 'zoom' | 'legend', ViewName[]> = {
  layer: ['map', 'heads', 'image', 'received', 'rollout'],
  head: ['map', 'image', 'received'],
  heads: ['heads'],
  threshold: ['map', 'heads', 'model', 'rollout'],
  zoom: ['map', 'rollout'],
  legend: ['map', 'model', 'rollout'],
};

/** Replaces the options only if they changed, so that an open list stays open. */
function offer(
  select: HTMLSelectElement,
  options: { value: string; text: string }[],
  value: string,
) {
  const same =
    select.options.length === options.length &&
    options.every(
      (o, i) => select.options[i].value === o.value && select.options[i].text === o.text,
    );
  if (!same) select.replaceChildren(...options.map((o) => h('option', { value: o.value }, o.text)));
  select.value = value;
}

export class Controls {
  readonly element = h('div', { class: 'controls' });
  private readonly layer = h('select', { onchange: () => this.setLayer(this.layer.value) });
  private readonly head = h('select', { onchange: () => this.setHead(this.head.value) });
  private readonly chips = h('div', { class: 'chips', role: 'group', 'aria-label': 'Heads' });
  private readonly amount = h('output', {});
  private readonly threshold = h('input', {
    type: 'range',
    min: 0,
    max: 50,
    step: 1,
    oninput: () => this.panel.store.set({ threshold: Number(this.threshold.value) / 100 }),
  });
  private readonly swatches = Array.from({ length: 6 }, () => h('i', {}));
  private readonly fields: Record<keyof typeof asks, HTMLElement>;

  constructor(
    private readonly panel: Panel,
    zoom: (factor?: number) => void,
  ) {
    const field = (name: string, ...content: HTMLElement[]) =>
      h('label', { class: 'field' }, h('span', {}, name), ...content);
    const button = (label: string, text: string, factor?: number) =>
      h('button', { 'aria-label': label, title: label, onclick: () => zoom(factor) }, text);
    this.fields = {
      layer: field('Layer', this.layer),
      head: field('Head', this.head),
      heads: this.chips,
      threshold: field('Threshold', this.threshold, this.amount),
      zoom: h(
        'div',
        { class: 'zoom', role: 'group', 'aria-label': 'Zoom' },
        button('Zoom out', '\u2212', 1 / 1.6),
        button('Fit all of it', 'Fit'),
        button('Zoom in', '+', 1.6),
      ),
      legend: h(
        'span',
        { class: 'legend', role: 'img', 'aria-label': 'Colours of weights from 0 to 1' },
        '0',
        ...this.swatches,
        '1',
      ),
    };
    this.element.append(...Object.values(this.fields));
    this.sync();
  }

  private setLayer(layer: string) {
    const { heads } = this.panel.run.layers.find((l) => l.name === layer)!;
    const { head } = this.panel.store.state;
    const kept = head === 'mean' || heads.includes(head ?? -1);
    this.panel.store.set({ layer, head: kept ? head : 'mean', frame: undefined });
  }

  private setHead(head: string) {
    this.panel.store.set({ head: head === 'mean' ? 'mean' : Number(head) });
  }

  private get rollout() {
    return this.panel.store.state.view === 'rollout';
  }

  private layers() {
    const { layers } = this.panel.run;
    return this.rollout ? layers.filter((l) => l.queries === l.keys) : layers;
  }

  /** [ and ] change the layer, comma and full stop the head. */
  key(key: string): boolean {
    const by = key === '[' || key === ',' ? -1 : key === ']' || key === '.' ? 1 : 0;
    if (!by || !this.panel.run.layers.length) return false;
    const next = <T>(list: T[], now: T) => list[list.indexOf(now) + by] ?? now;
    const { layer, head } = chosen(this.panel);
    if (key === '[' || key === ']') {
      this.setLayer(next(this.layers(), this.rollout ? chosenStack(this.panel) : layer).name);
    } else {
      this.setHead(String(next(['mean' as const, ...layer.heads], head)));
    }
    return true;
  }

  sync() {
    const { state } = this.panel.store;
    for (const [name, views] of Object.entries(asks)) {
      this.fields[name as keyof typeof asks].hidden = !views.includes(state.view);
    }
    const percent = String(Math.round(state.threshold * 100));
    if (this.threshold.value !== percent) this.threshold.value = percent;
    this.amount.textContent = `${percent}%`;
    if (!this.panel.run.layers.length) return;
    const { layer, head } = chosen(this.panel);
    const shown = this.rollout ? chosenStack(this.panel) : layer;
    const names = this.layers().map(({ name, kept = 'all' }) => ({
      value: name,
      text: kept === 'all' ? name : `${name} (${kept})`,
    }));
    offer(this.layer, names, shown.name);
    const heads = layer.heads.map((number) => ({ value: String(number), text: String(number) }));
    offer(this.head, [{ value: 'mean', text: 'mean of all' }, ...heads], String(head));
    this.syncChips(layer.heads, state.heads);
    this.syncLegend(tokensOf(this.panel.run, shown.keys).length);
  }

  private syncLegend(keys: number) {
    this.swatches.forEach((swatch, i) => {
      const weight = i / (this.swatches.length - 1);
      swatch.style.background = heat(theme(), strengthOf(weight, keys));
      swatch.title = `weight ${weight}`;
    });
  }

  private syncChips(heads: number[], shown: number[] | undefined) {
    if (this.chips.children.length !== heads.length) {
      this.chips.replaceChildren(
        ...heads.map((head) =>
          h('button', { class: 'chip', onclick: () => this.flip(head) }, String(head)),
        ),
      );
    }
    heads.forEach((head, i) => {
      const chip = this.chips.children[i] as HTMLElement;
      const { colour, dashed } = lineColour(theme(), i);
      chip.style.setProperty('--head', colour);
      chip.style.setProperty('--line', dashed ? 'dashed' : 'solid');
      chip.setAttribute('aria-label', `Head ${head}`);
      chip.setAttribute('aria-pressed', String(!shown || shown.includes(head)));
    });
  }

  /** From "all" a click chooses one; then it adds and takes away. */
  private flip(head: number) {
    const { heads } = this.panel.store.state;
    const next = !heads
      ? [head]
      : heads.includes(head)
        ? heads.filter((h) => h !== head)
        : [...heads, head];
    this.panel.store.set({ heads: next.length ? next : undefined });
  }
}
