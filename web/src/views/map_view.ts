/** The heat map: a row for each query, a column for each key. Zooms from the whole to single
 * weights; of what is not seen nothing is loaded. */
import { one } from '../bytes';
import { heat, strengthOf } from '../colour';
import { clampFrame, fitScale, readable, reveal, shorten, ticks, zoomAt } from '../layout';
import type { Area, Frame } from '../layout';
import { widthOf, type Pen } from '../pen';
import { columnsOf, rowsOf, type Box } from '../source';
import { theme } from '../theme';
import { stepFor, stepWithin, tilesOver, tileSize, type Range } from '../tiles';
import { rolloutPrefix, tokensOf, type Head } from '../types';
import { listenTo } from './gestures';
import { paintTile } from './paint_tile';
import { CanvasView, chosen, chosenStack, roomBelow, type Panel } from './view';

/** From so many pixels a token on, weights are squares with a little space between. */
const squaresFrom = 10;
const labelSize = 12;
/** Below the weights: the line around them. */
const frameWidth = 2;
/** Where only one name in more than so many has room, numbers tell more. */
const fewestNames = 3;

const longest = new WeakMap<string[], number>();

/** The widest name of a list; long lists are judged by their beginning. */
function longestOf(tokens: string[], letters: number): number {
  let width = longest.get(tokens);
  if (width === undefined) {
    const some = tokens.slice(0, 400).map((token) => widthOf(shorten(token, letters), labelSize));
    width = Math.max(20, ...some);
    longest.set(tokens, width);
  }
  return width;
}

interface Cell {
  query: number;
  key: number;
}

export class MapView extends CanvasView {
  private layer = '';
  private head: Head = 'mean';
  private queries: string[] = [];
  private keys: string[] = [];
  private names = { queries: '', keys: '' };
  private left = 0;
  private top = 0;
  private right = 0;
  private at: Cell | undefined;

  constructor(
    panel: Panel,
    private readonly rollout = false,
  ) {
    super(panel, 'Heat map of attention. Arrow keys move, plus and minus zoom, Enter pins a row.');
    listenTo(this.canvas, {
      move: (dx, dy) => this.move(dx, dy),
      zoom: (factor, x, y) => this.zoomTo(factor, x - this.left, y - this.top),
      hover: (point) => this.hover(point && this.cellAt(point.x, point.y)),
      click: (x, y) => this.click(this.cellAt(x, y)),
    });
  }

  protected heightFor(width: number): number {
    this.choose();
    // A finger moves the map once it is larger than its place, else the page.
    this.canvas.style.touchAction = this.panel.store.state.frame ? 'none' : '';
    // A name under the cursor is bold, and a little wider.
    this.left = Math.ceil(Math.min(longestOf(this.queries, 14) * 1.1, width * 0.26)) + 10;
    this.top = Math.ceil(longestOf(this.keys, 12) * 0.72) + 14;
    this.right = Math.min(this.top, Math.round(width * 0.12));
    const room = Math.max(roomBelow() - this.top, 120);
    const scale = fitScale({ ...this.area(), width: width - this.left - this.right, height: room });
    return this.top + Math.min(room, Math.max(scale * this.queries.length, 40)) + frameWidth;
  }

  private choose() {
    const { run } = this.panel;
    const choice = chosen(this.panel);
    const layer = this.rollout ? chosenStack(this.panel) : choice.layer;
    this.layer = (this.rollout ? rolloutPrefix : '') + layer.name;
    this.head = this.rollout ? 'mean' : choice.head;
    this.names = { queries: layer.queries, keys: layer.keys };
    this.queries = tokensOf(run, layer.queries);
    this.keys = tokensOf(run, layer.keys);
    const lost =
      this.at && (this.at.query >= this.queries.length || this.at.key >= this.keys.length);
    if (lost) this.at = undefined;
  }

  private area(): Area {
    return {
      width: Math.max(this.width - this.left - this.right, 1),
      height: Math.max(this.height - this.top - frameWidth, 1),
      queries: this.queries.length,
      keys: this.keys.length,
    };
  }

  private frame(): Frame {
    const area = this.area();
    return clampFrame(this.panel.store.state.frame ?? { x: 0, y: 0, scale: fitScale(area) }, area);
  }

  private setFrame(frame: Frame | undefined) {
    this.panel.store.set({ frame });
  }

  private move(dx: number, dy: number): boolean {
    const frame = this.frame();
    const to = { x: frame.x + dx / frame.scale, y: frame.y + dy / frame.scale, scale: frame.scale };
    const next = clampFrame(to, this.area());
    if (next.x === frame.x && next.y === frame.y) return false;
    this.setFrame(next);
    return true;
  }

  private zoomTo(factor: number, x: number, y: number) {
    this.setFrame(zoomAt(this.frame(), factor, x, y, this.area()));
  }

  zoom(factor?: number) {
    const { width, height } = this.area();
    if (factor) this.zoomTo(factor, width / 2, height / 2);
    else this.setFrame(undefined);
  }

  private cellAt(x: number, y: number): Cell | undefined {
    const frame = this.frame();
    if (x < this.left || y < this.top) return undefined;
    const key = Math.floor(frame.x + (x - this.left) / frame.scale);
    const query = Math.floor(frame.y + (y - this.top) / frame.scale);
    const inside = query < this.queries.length && key < this.keys.length;
    return inside ? { query, key } : undefined;
  }

  private hover(cell: Cell | undefined) {
    if (cell?.query === this.at?.query && cell?.key === this.at?.key) return;
    this.at = cell;
    if (!cell) this.panel.say();
    this.refresh();
  }

  private click(cell: Cell | undefined) {
    const same = cell === undefined || cell.query === this.panel.store.state.pin;
    this.panel.store.set({ pin: same ? undefined : cell.query });
  }

  override refresh() {
    if (this.at) this.describe();
    super.refresh();
  }

  /** Says what the cursor is at. */
  private describe() {
    const { query, key } = this.at!;
    const weight = this.weightAt(query, key);
    const words = `\u201c${this.queries[query]}\u201d \u2192 \u201c${this.keys[key]}\u201d`;
    const places = `${this.names.queries} ${query + 1}, ${this.names.keys} ${key + 1}`;
    this.panel.say(`${words}  ${weight === undefined ? '\u2026' : readable(weight)}  (${places})`);
  }

  private weightAt(query: number, key: number): number | undefined {
    const range = { q0: query, q1: query + 1, k0: key, k1: key + 1 };
    const [box] = tilesOver(range, 1, this.queries.length, this.keys.length);
    const tile = this.tile(box);
    const at = (query - box.q0) * columnsOf(box) + key - box.k0;
    return tile && Math.round((tile[at] / one) * 1e4) / 1e4;
  }

  private tile(box: Box) {
    return this.panel.tiles.get(this.panel.run, this.layer, this.head, box);
  }

  protected key(event: KeyboardEvent): boolean {
    const steps: Record<string, [number, number]> = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
    };
    const step = steps[event.key];
    if (step) {
      const far = event.shiftKey ? 10 : 1;
      const frame = this.frame();
      const from = this.at ?? { query: Math.floor(frame.y), key: Math.floor(frame.x) - step[1] };
      const into = (value: number, count: number) => Math.min(Math.max(value, 0), count - 1);
      const query = into(from.query + step[0] * far, this.queries.length);
      const key = into(from.key + step[1] * far, this.keys.length);
      if (this.panel.store.state.frame) this.setFrame(reveal(frame, query, key, this.area()));
      this.hover({ query, key });
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.click(this.at);
    } else if (event.key === 'Escape') {
      this.panel.store.set({ pin: undefined });
      this.hover(undefined);
    } else if (event.key === '+' || event.key === '=') {
      this.zoom(1.5);
    } else if (event.key === '-') {
      this.zoom(1 / 1.5);
    } else if (event.key === '0') {
      this.zoom();
    } else {
      return false;
    }
    return true;
  }

  protected paint(pen: Pen) {
    const area = this.area();
    if (!area.queries || !area.keys) return;
    const frame = this.frame();
    const seen: Range = {
      q0: Math.floor(frame.y),
      q1: Math.min(Math.ceil(frame.y + area.height / frame.scale), area.queries),
      k0: Math.floor(frame.x),
      k1: Math.min(Math.ceil(frame.x + area.width / frame.scale), area.keys),
    };
    const wide = Math.min(area.width, (area.keys - frame.x) * frame.scale);
    const high = Math.min(area.height, (area.queries - frame.y) * frame.scale);
    pen.clip(this.left, this.top, wide, high, () => this.paintWeights(pen, frame, seen));
    pen.outline(this.left - 0.5, this.top - 0.5, wide + 1, high + 1, { colour: theme().rule });
    this.paintMarks(pen, frame, wide, high);
    this.paintLabels(pen, frame, seen);
  }

  private paintWeights(pen: Pen, frame: Frame, seen: Range) {
    const { queries, keys } = this.area();
    const step = stepFor(frame.scale * (devicePixelRatio || 1));
    const boxes = tilesOver(seen, step, queries, keys);
    if (frame.scale >= squaresFrom) {
      for (const box of boxes) this.paintSquares(pen, frame, seen, box);
      return;
    }
    // The whole in few pixels lies below until the finer tiles are there.
    const coarse = stepWithin(Math.max(queries, keys), tileSize);
    const missing = boxes.some((box) => !this.tile(box));
    const whole = tilesOver({ q0: 0, q1: queries, k0: 0, k1: keys }, coarse, queries, keys);
    for (const box of missing && coarse > step ? [...whole, ...boxes] : boxes) {
      const tile = this.tile(box);
      if (!tile) continue;
      const { threshold } = this.panel.store.state;
      const colouring = { theme: theme(), threshold, keys };
      const image = paintTile(tile, columnsOf(box), rowsOf(box), colouring);
      const [x, y] = this.place(frame, box.q0, box.k0);
      const side = frame.scale * box.step;
      pen.picture(image, x, y, columnsOf(box) * side, rowsOf(box) * side);
    }
  }

  private paintSquares(pen: Pen, frame: Frame, seen: Range, box: Box) {
    const tile = this.tile(box);
    if (!tile) return;
    const { threshold } = this.panel.store.state;
    const columns = columnsOf(box);
    for (let query = Math.max(seen.q0, box.q0); query < Math.min(seen.q1, box.q1); ++query) {
      for (let key = Math.max(seen.k0, box.k0); key < Math.min(seen.k1, box.k1); ++key) {
        const weight = tile[(query - box.q0) * columns + key - box.k0] / one;
        if (weight < threshold || weight < 0.002) continue;
        const [x, y] = this.place(frame, query, key);
        const side = frame.scale - 1;
        pen.rect(x, y, side, side, heat(theme(), strengthOf(weight, this.keys.length)));
      }
    }
  }

  private place(frame: Frame, query: number, key: number): [number, number] {
    return [this.left + (key - frame.x) * frame.scale, this.top + (query - frame.y) * frame.scale];
  }

  private paintMarks(pen: Pen, frame: Frame, wide: number, high: number) {
    const style = { colour: theme().ink, opacity: 0.55 };
    const { pin } = this.panel.store.state;
    const side = Math.max(frame.scale, 2);
    pen.clip(this.left - 1, this.top - 1, wide + 2, high + 2, () => {
      if (pin !== undefined && pin < this.queries.length) {
        const [, y] = this.place(frame, pin, 0);
        pen.outline(this.left, y - 0.5, wide, side, { ...style, width: 1.5, opacity: 0.9 });
      }
      if (!this.at) return;
      const [x, y] = this.place(frame, this.at.query, this.at.key);
      if (frame.scale >= squaresFrom) pen.outline(x - 0.5, y - 0.5, side, side, style);
      else {
        pen.line(
          [
            [this.left, y + side / 2],
            [this.left + wide, y + side / 2],
          ],
          style,
        );
        pen.line(
          [
            [x + side / 2, this.top],
            [x + side / 2, this.top + high],
          ],
          style,
        );
      }
    });
  }

  /** As many names as have room, or positions; the names under the cursor always. */
  private paintLabels(pen: Pen, frame: Frame, seen: Range) {
    const every = Math.max(1, Math.ceil(15 / frame.scale));
    const named = every <= fewestNames;
    const marked = this.at?.query ?? this.panel.store.state.pin;
    const near = (i: number, mark: number | undefined) =>
      mark !== undefined && Math.abs(i - mark) * frame.scale < 14;
    for (const i of this.labelled(seen.q0, seen.q1, every)) {
      if (!near(i, marked)) this.paintRowName(pen, frame, i, named ? this.queries[i] : String(i));
    }
    for (const i of this.labelled(seen.k0, seen.k1, every)) {
      if (!near(i, this.at?.key))
        this.paintColumnName(pen, frame, i, named ? this.keys[i] : String(i));
    }
    if (marked !== undefined && marked < this.queries.length) {
      this.paintRowName(pen, frame, marked, this.queries[marked], true);
    }
    if (this.at) this.paintColumnName(pen, frame, this.at.key, this.keys[this.at.key], true);
  }

  private labelled(first: number, end: number, every: number): number[] {
    if (every > fewestNames) return ticks(first, end - 1, Math.floor((end - first) / every / 3));
    const start = Math.ceil(first / every) * every;
    return Array.from({ length: Math.ceil((end - start) / every) }, (_, i) => start + i * every);
  }

  private paintRowName(pen: Pen, frame: Frame, i: number, name: string, marked = false) {
    const y = this.top + (i + 0.5 - frame.y) * frame.scale;
    if (y < this.top || y > this.height) return;
    const shown = shorten(name, Math.max(3, Math.floor(this.left / 7)));
    pen.text(this.left - 7, y + 4, shown, { ...nameStyle(marked), align: 'end' });
  }

  private paintColumnName(pen: Pen, frame: Frame, i: number, name: string, marked = false) {
    const x = this.left + (i + 0.5 - frame.x) * frame.scale;
    if (x < this.left || x > this.width - this.right + 1) return;
    pen.text(x + 3, this.top - 6, shorten(name, 12), { ...nameStyle(marked), turn: -45 });
  }
}

function nameStyle(marked: boolean) {
  return { colour: marked ? theme().ink : theme().quiet, size: labelSize, bold: marked };
}
