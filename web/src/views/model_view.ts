/** All layers and heads as small pictures: a row for each layer, a column for each head. */
import { widthOf, type Pen } from '../pen';
import { columnsOf, rowsOf } from '../source';
import { shorten } from '../layout';
import { theme } from '../theme';
import { stepWithin } from '../tiles';
import { tokensOf, type Layer } from '../types';
import { listenTo } from './gestures';
import { paintTile } from './paint_tile';
import { CanvasView, type Panel } from './view';

/** Numbers along each side of a small picture. */
const detail = 64;
const gap = 5;
const headLine = 22;

export class ModelView extends CanvasView {
  private left = 0;
  private side = 0;
  private at: { row: number; column: number } | undefined;

  constructor(panel: Panel) {
    super(panel, 'All layers and heads. Arrow keys move, Enter opens one.');
    listenTo(this.canvas, {
      move: () => false,
      zoom: () => {},
      hover: (point) => this.hover(point && this.cellAt(point.x, point.y)),
      click: (x, y) => this.open(this.cellAt(x, y)),
    });
  }

  private get layers() {
    return this.panel.run.layers;
  }

  protected heightFor(width: number): number {
    const longest = Math.max(...this.layers.map((l) => widthOf(shorten(l.name, 22), 12)));
    this.left = Math.ceil(Math.min(longest, width * 0.28)) + 12;
    const heads = Math.max(...this.layers.map((l) => l.heads.length));
    const room = (width - this.left - (heads - 1) * gap) / heads;
    this.side = Math.max(8, Math.min(Math.floor(room), 96));
    return headLine + this.layers.length * (this.side + gap) + 2;
  }

  private cellAt(x: number, y: number) {
    const row = Math.floor((y - headLine) / (this.side + gap));
    const column = Math.floor((x - this.left) / (this.side + gap));
    const layer = this.layers[row];
    return layer && column >= 0 && column < layer.heads.length ? { row, column } : undefined;
  }

  private hover(cell: ModelView['at']) {
    if (cell?.row === this.at?.row && cell?.column === this.at?.column) return;
    this.at = cell;
    this.canvas.style.cursor = cell ? 'pointer' : '';
    const layer = cell && this.layers[cell.row];
    this.panel.say(layer && `${layer.name}, head ${layer.heads[cell.column]}`);
    this.refresh();
  }

  private open(cell: ModelView['at']) {
    if (!cell) return;
    const layer = this.layers[cell.row];
    const head = layer.heads[cell.column];
    this.panel.store.set({ view: 'map', layer: layer.name, head, frame: undefined });
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
      const from = this.at ?? { row: 0, column: -step[1] };
      const row = Math.min(Math.max(from.row + step[0], 0), this.layers.length - 1);
      const most = this.layers[row].heads.length - 1;
      this.hover({ row, column: Math.min(Math.max(from.column + step[1], 0), most) });
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.open(this.at);
    } else {
      return false;
    }
    return true;
  }

  protected paint(pen: Pen) {
    const widest = this.layers.reduce((a, b) => (b.heads.length > a.heads.length ? b : a));
    const every = Math.ceil(18 / (this.side + gap));
    widest.heads.forEach((head, i) => {
      if (i % every) return;
      const style = { colour: theme().quiet, size: 11, align: 'middle' as const };
      pen.text(this.left + i * (this.side + gap) + this.side / 2, 13, String(head), style);
    });
    this.layers.forEach((layer, row) => this.paintLayer(pen, layer, row));
    if (this.at) {
      const x = this.left + this.at.column * (this.side + gap);
      const y = headLine + this.at.row * (this.side + gap);
      const style = { colour: theme().ink, width: 1.5 };
      pen.outline(x - 2, y - 2, this.side + 4, this.side + 4, style);
    }
  }

  private paintLayer(pen: Pen, layer: Layer, row: number) {
    const y = headLine + row * (this.side + gap);
    const name = shorten(layer.name, Math.max(6, Math.floor(this.left / 6.4)));
    const bold = this.at?.row === row;
    const colour = bold ? theme().ink : theme().quiet;
    pen.text(this.left - 12, y + this.side / 2 + 4, name, { colour, size: 12, align: 'end', bold });
    const queries = tokensOf(this.panel.run, layer.queries).length;
    const keys = tokensOf(this.panel.run, layer.keys).length;
    if (!queries || !keys) return;
    const step = stepWithin(Math.max(queries, keys), detail);
    const box = { q0: 0, q1: queries, k0: 0, k1: keys, step };
    const numbers = this.panel.tiles.getAll(this.panel.run, layer.name, box);
    const { threshold } = this.panel.store.state;
    const colouring = { theme: theme(), threshold, keys };
    const [rows, columns] = [rowsOf(box), columnsOf(box)];
    layer.heads.forEach((_, i) => {
      const x = this.left + i * (this.side + gap);
      if (numbers) {
        const image = paintTile(numbers, columns, rows, colouring, i * rows * columns);
        pen.picture(image, x, y, this.side, this.side);
      }
      pen.outline(x - 0.5, y - 0.5, this.side + 1, this.side + 1, { colour: theme().rule });
    });
  }
}
