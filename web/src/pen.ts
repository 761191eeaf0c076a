/** One way to draw, onto a canvas and into an SVG: what is exported is what was seen. */

export interface TextStyle {
  colour: string;
  size?: number;
  align?: 'start' | 'middle' | 'end';
  /** Degrees, about the point where the text stands. */
  turn?: number;
  bold?: boolean;
}

export interface LineStyle {
  colour: string;
  width?: number;
  opacity?: number;
  dashed?: boolean;
}

export interface Pen {
  rect(x: number, y: number, width: number, height: number, fill: string, hint?: string): void;
  /** A frame without filling. */
  outline(x: number, y: number, width: number, height: number, style: LineStyle): void;
  dot(x: number, y: number, radius: number, fill: string, hint?: string): void;
  line(points: [number, number][], style: LineStyle): void;
  /** From left to right, level at both ends. */
  bend(x1: number, y1: number, x2: number, y2: number, style: LineStyle): void;
  text(x: number, y: number, text: string, style: TextStyle): void;
  /** Pixels stay sharp. */
  picture(image: HTMLCanvasElement, x: number, y: number, width: number, height: number): void;
  clip(x: number, y: number, width: number, height: number, inner: () => void): void;
}

/** Something that can be drawn with either pen. */
export interface Drawing {
  width: number;
  height: number;
  paint(pen: Pen): void;
}

export const font = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
const fontOf = (size: number, bold?: boolean) => `${bold ? '600 ' : ''}${size}px ${font}`;

export const textSize = 13;

let ruler: CanvasRenderingContext2D | null = null;
const measured = new Map<string, number>();

export function widthOf(text: string, size = textSize): number {
  const key = `${size} ${text}`;
  let width = measured.get(key);
  if (width === undefined) {
    ruler ??= document.createElement('canvas').getContext('2d')!;
    ruler.font = fontOf(size);
    width = ruler.measureText(text).width;
    if (measured.size > 20000) measured.clear();
    measured.set(key, width);
  }
  return width;
}

export class CanvasPen implements Pen {
  constructor(private readonly to: CanvasRenderingContext2D) {}

  rect(x: number, y: number, width: number, height: number, fill: string) {
    this.to.fillStyle = fill;
    this.to.fillRect(x, y, width, height);
  }

  outline(x: number, y: number, width: number, height: number, style: LineStyle) {
    this.styled(style, () => this.to.strokeRect(x, y, width, height));
  }

  dot(x: number, y: number, radius: number, fill: string) {
    this.to.fillStyle = fill;
    this.to.beginPath();
    this.to.arc(x, y, radius, 0, 2 * Math.PI);
    this.to.fill();
  }

  line(points: [number, number][], style: LineStyle) {
    this.to.beginPath();
    points.forEach(([x, y]) => this.to.lineTo(x, y));
    this.styled(style, () => this.to.stroke());
  }

  bend(x1: number, y1: number, x2: number, y2: number, style: LineStyle) {
    const middle = (x1 + x2) / 2;
    this.to.beginPath();
    this.to.moveTo(x1, y1);
    this.to.bezierCurveTo(middle, y1, middle, y2, x2, y2);
    this.styled(style, () => this.to.stroke());
  }

  text(x: number, y: number, text: string, style: TextStyle) {
    this.to.font = fontOf(style.size ?? textSize, style.bold);
    this.to.fillStyle = style.colour;
    this.to.textAlign = style.align === 'middle' ? 'center' : (style.align ?? 'start');
    if (!style.turn) {
      this.to.fillText(text, x, y);
      return;
    }
    this.to.save();
    this.to.translate(x, y);
    this.to.rotate((style.turn * Math.PI) / 180);
    this.to.fillText(text, 0, 0);
    this.to.restore();
  }

  picture(image: HTMLCanvasElement, x: number, y: number, width: number, height: number) {
    this.to.imageSmoothingEnabled = false;
    this.to.drawImage(image, x, y, width, height);
  }

  clip(x: number, y: number, width: number, height: number, inner: () => void) {
    this.to.save();
    this.to.beginPath();
    this.to.rect(x, y, width, height);
    this.to.clip();
    inner();
    this.to.restore();
  }

  private styled(style: LineStyle, draw: () => void) {
    this.to.strokeStyle = style.colour;
    this.to.lineWidth = style.width ?? 1;
    this.to.globalAlpha = style.opacity ?? 1;
    this.to.setLineDash(style.dashed ? [4, 3] : []);
    draw();
    this.to.globalAlpha = 1;
  }
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (letter) => escapes[letter]).replace(/[\u0000-\u0008\u000b-\u001f]/g, '');
const short = (value: number) => String(+value.toFixed(2));

export class SvgPen implements Pen {
  private readonly parts: string[] = [];
  private clips = 0;

  constructor(private readonly name: string) {}

  toString() {
    return this.parts.join('');
  }

  rect(x: number, y: number, width: number, height: number, fill: string, hint?: string) {
    const box = this.box(x, y, width, height);
    this.put(`<rect ${box} fill="${fill}"`, 'rect', hint);
  }

  outline(x: number, y: number, width: number, height: number, style: LineStyle) {
    this.put(`<rect ${this.box(x, y, width, height)} fill="none" ${this.stroke(style)}`, 'rect');
  }

  dot(x: number, y: number, radius: number, fill: string, hint?: string) {
    const at = `cx="${short(x)}" cy="${short(y)}" r="${short(radius)}"`;
    this.put(`<circle ${at} fill="${fill}"`, 'circle', hint);
  }

  line(points: [number, number][], style: LineStyle) {
    const path = points.map(([x, y]) => `${short(x)},${short(y)}`).join(' ');
    this.put(`<polyline points="${path}" fill="none" ${this.stroke(style)}`, 'polyline');
  }

  bend(x1: number, y1: number, x2: number, y2: number, style: LineStyle) {
    const middle = short((x1 + x2) / 2);
    const [a, b, c, d] = [x1, y1, x2, y2].map(short);
    const path = `M${a} ${b}C${middle} ${b} ${middle} ${d} ${c} ${d}`;
    this.put(`<path d="${path}" fill="none" ${this.stroke(style)}`, 'path');
  }

  text(x: number, y: number, text: string, style: TextStyle) {
    const at = `x="${short(x)}" y="${short(y)}"`;
    const size = `font-size="${style.size ?? textSize}"`;
    const anchor = style.align ? ` text-anchor="${style.align}"` : '';
    const bold = style.bold ? ' font-weight="600"' : '';
    const turn = style.turn ? ` transform="rotate(${style.turn} ${short(x)} ${short(y)})"` : '';
    this.parts.push(
      `<text ${at} ${size} fill="${style.colour}"${anchor}${bold}${turn}>${escaped(text)}</text>`,
    );
  }

  picture(image: HTMLCanvasElement, x: number, y: number, width: number, height: number) {
    const box = this.box(x, y, width, height);
    const look = 'preserveAspectRatio="none" style="image-rendering:pixelated"';
    this.parts.push(`<image ${box} ${look} href="${image.toDataURL()}"/>`);
  }

  clip(x: number, y: number, width: number, height: number, inner: () => void) {
    const id = `${this.name}-clip${this.clips++}`;
    this.parts.push(`<clipPath id="${id}"><rect ${this.box(x, y, width, height)}/></clipPath>`);
    this.parts.push(`<g clip-path="url(#${id})">`);
    inner();
    this.parts.push('</g>');
  }

  private box(x: number, y: number, width: number, height: number) {
    const [a, b, c, d] = [x, y, Math.max(width, 0), Math.max(height, 0)].map(short);
    return `x="${a}" y="${b}" width="${c}" height="${d}"`;
  }

  private stroke(style: LineStyle) {
    const opacity = style.opacity === undefined ? '' : ` stroke-opacity="${short(style.opacity)}"`;
    const dashes = style.dashed ? ' stroke-dasharray="4 3"' : '';
    return `stroke="${style.colour}" stroke-width="${style.width ?? 1}"${opacity}${dashes}`;
  }

  private put(open: string, tag: string, hint?: string) {
    this.parts.push(hint ? `${open}><title>${escaped(hint)}</title></${tag}>` : `${open}/>`);
  }
}

let drawn = 0;

/** A stand-alone SVG; `paper` is its background. */
export function toSvg(drawing: Drawing, title: string, paper?: string): string {
  const pen = new SvgPen(`p${drawn++}`);
  if (paper) pen.rect(0, 0, drawing.width, drawing.height, paper);
  drawing.paint(pen);
  const [width, height] = [Math.ceil(drawing.width), Math.ceil(drawing.height)];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${width} ${height}" font-family="${escaped(font)}" role="img" ` +
    `aria-label="${escaped(title)}">${pen}</svg>`
  );
}
