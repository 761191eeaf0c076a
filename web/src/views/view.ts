/** What all views of a run have in common. */
import { CanvasPen, toSvg, type Drawing, type Pen } from '../pen';
import type { Source } from '../source';
import type { Store } from '../store';
import { onTheme, theme } from '../theme';
import type { TileStore } from '../tiles';
import { h, messageOf } from '../dom';
import { alignmentOf, type Head, type Layer, type Run } from '../types';

/** One run on the screen, and what its views share. */
export interface Panel {
  source: Source;
  run: Run;
  store: Store;
  tiles: TileStore;
  /** Shows what the pointer or the cursor is at; undefined: nothing. */
  say(text?: string): void;
}

export interface View {
  readonly element: HTMLElement;
  /** The state changed. */
  update(): void;
  /** A tile arrived. */
  refresh(): void;
  drawing(): Drawing;
  /** undefined: back to the whole. */
  zoom?(factor?: number): void;
  close(): void;
}

/** The layer and head to show: those of the state where the run has them. */
export function chosen(panel: Panel): { layer: Layer; head: Head } {
  const { state } = panel.store;
  const first = alignmentOf(panel.run);
  if (!first) throw new Error('this run kept no weights');
  const layer = panel.run.layers.find((l) => l.name === state.layer) ?? first.layer;
  const fallback = layer === first.layer ? first.head : 'mean';
  const known = state.head === 'mean' || layer.heads.includes(state.head ?? -1);
  return { layer, head: known ? state.head! : fallback };
}

/** The same for rollout, which needs a layer that looks at its own sequence. */
export function chosenStack(panel: Panel): Layer {
  const { layer } = chosen(panel);
  if (layer.queries === layer.keys) return layer;
  const own = (l: Layer) => l.queries === l.keys;
  return panel.run.layers.findLast(own)!;
}

/** At most so high, so that what stands below a picture is seen too. */
export const roomBelow = () => Math.max(320, Math.round(innerHeight * 0.72));

/** A view that is drawn anew in each frame in which something changed. */
export abstract class CanvasView implements View {
  readonly element = h('div', { class: 'canvas-view' });
  protected readonly canvas: HTMLCanvasElement;
  protected width = 0;
  protected height = 0;
  private waiting = 0;
  private readonly sizes = new ResizeObserver(() => this.resize());
  private readonly offTheme = onTheme(() => this.refresh());

  constructor(
    protected readonly panel: Panel,
    label: string,
  ) {
    this.canvas = h('canvas', {
      tabindex: 0,
      role: 'application',
      'aria-label': label,
      onkeydown: (event: KeyboardEvent) => {
        if (event.ctrlKey || event.metaKey || event.altKey || !this.key(event)) return;
        event.preventDefault();
        event.stopPropagation();
      },
    });
    this.element.append(this.canvas);
    this.sizes.observe(this.element);
  }

  protected abstract heightFor(width: number): number;
  protected abstract paint(pen: Pen): void;
  /** Whether the key meant something. */
  protected abstract key(event: KeyboardEvent): boolean;

  update() {
    if (this.width) this.arrange();
    else this.resize();
  }

  refresh() {
    this.waiting ||= requestAnimationFrame(() => {
      this.waiting = 0;
      this.show();
    });
  }

  drawing(): Drawing {
    return { width: this.width, height: this.height, paint: (pen) => this.paint(pen) };
  }

  close() {
    cancelAnimationFrame(this.waiting);
    this.sizes.disconnect();
    this.offTheme();
  }

  private resize() {
    this.width = Math.floor(this.element.clientWidth);
    this.arrange();
  }

  /** Without asking for the width: while a view moves, the page is not laid out anew. */
  private arrange() {
    const { width } = this;
    if (!width) return;
    this.height = Math.ceil(this.heightFor(width));
    const ratio = devicePixelRatio || 1;
    const [across, down] = [Math.round(width * ratio), Math.round(this.height * ratio)];
    if (this.canvas.width !== across || this.canvas.height !== down) {
      this.canvas.width = across;
      this.canvas.height = down;
      this.canvas.style.width = `${width}px`;
      this.canvas.style.height = `${this.height}px`;
      this.show(); // at once: a canvas that was resized is empty
    } else {
      this.refresh();
    }
  }

  private show() {
    const to = this.canvas.getContext('2d')!;
    const ratio = devicePixelRatio || 1;
    to.setTransform(ratio, 0, 0, ratio, 0, 0);
    to.fillStyle = theme().paper;
    to.fillRect(0, 0, this.width, this.height);
    this.paint(new CanvasPen(to));
  }
}

/** A view that stands still: an SVG in the page, composed anew when something changed. */
export abstract class StillView implements View {
  readonly element = h('div', { class: 'still-view' });
  private latest: Drawing = { width: 0, height: 0, paint: () => {} };
  private round = 0;
  private shownWidth = 0;
  private readonly sizes = new ResizeObserver(() => {
    if (this.element.clientWidth !== this.shownWidth) this.update();
  });
  private readonly offTheme = onTheme(() => this.update());

  constructor(
    protected readonly panel: Panel,
    private readonly label: string,
  ) {
    this.sizes.observe(this.element);
  }

  protected abstract compose(width: number): Promise<Drawing>;

  async update() {
    const width = this.element.clientWidth;
    if (!width) return;
    this.shownWidth = width;
    const round = ++this.round;
    try {
      const drawing = await this.compose(width);
      if (round !== this.round) return; // a later one is under way
      this.latest = drawing;
      this.element.innerHTML = toSvg(drawing, this.label);
    } catch (error) {
      if (round === this.round) this.element.replaceChildren(h('p', {}, messageOf(error)));
    }
  }

  refresh() {}

  drawing() {
    return this.latest;
  }

  close() {
    ++this.round;
    this.sizes.disconnect();
    this.offTheme();
  }
}
