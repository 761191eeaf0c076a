/** The colours of the project's pictures, and the same idea on dark paper. */

type Colour = [number, number, number];

/** From paper over orange to dark ember: ever darker, so that it also works in print. */
const lightRamp: Colour[] = [
  [255, 255, 255],
  [254, 227, 200],
  [253, 181, 122],
  [238, 122, 51],
  [191, 68, 19],
  [111, 31, 6],
];
/** From dark paper over ember to pale orange: ever lighter. */
const darkRamp: Colour[] = [
  [22, 23, 26],
  [70, 36, 18],
  [134, 62, 20],
  [212, 106, 40],
  [250, 172, 106],
  [255, 233, 208],
];

/** Told apart by the colour-blind too: Okabe and Ito 2008. */
const lines = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'];

export interface Theme {
  dark: boolean;
  paper: string;
  ink: string;
  quiet: string;
  rule: string;
  accent: string;
  /** 256 steps of the ramp, as 0xAABBGGRR for ImageData. */
  pixels: Uint32Array;
}

export function rampColour(dark: boolean, strength: number): Colour {
  const ramp = dark ? darkRamp : lightRamp;
  const at = Math.min(Math.max(strength || 0, 0), 1) * (ramp.length - 1);
  const low = Math.min(Math.floor(at), ramp.length - 2);
  const part = at - low;
  return ramp[low].map((from, i) => Math.round(from + part * (ramp[low + 1][i] - from))) as Colour;
}

const hex = (colour: Colour) => '#' + colour.map((c) => c.toString(16).padStart(2, '0')).join('');

export const heat = (theme: Theme, strength: number) => hex(rampColour(theme.dark, strength));

function luminance(colour: Colour): number {
  const [r, g, b] = colour.map((channel) => {
    const c = channel / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Black or white, whichever is easier to read on that heat (WCAG 2.1, contrast ratio). */
export function inkOn(theme: Theme, strength: number): string {
  const light = luminance(rampColour(theme.dark, strength));
  return (light + 0.05) / 0.05 >= 1.05 / (light + 0.05) ? '#000000' : '#ffffff';
}

/** Heads and curves; dashed from the seventh on. */
export function lineColour(theme: Theme, i: number): { colour: string; dashed: boolean } {
  const at = i % (lines.length + 1);
  return { colour: lines[at] ?? (theme.dark ? '#b8b8b8' : '#444444'), dashed: i > lines.length };
}

function themeOf(dark: boolean): Theme {
  const pixels = Uint32Array.from({ length: 256 }, (_, i) => {
    const [r, g, b] = rampColour(dark, i / 255);
    return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
  });
  return dark
    ? {
        dark,
        paper: '#16171a',
        ink: '#eceae7',
        quiet: '#a3a09b',
        rule: '#34363b',
        accent: '#fdb57a',
        pixels,
      }
    : {
        dark,
        paper: '#ffffff',
        ink: '#1d1d1f',
        quiet: '#6b6b70',
        rule: '#e4e3e0',
        accent: '#b23f10',
        pixels,
      };
}

export const lightTheme = themeOf(false);
export const darkTheme = themeOf(true);

/** How strongly a weight is drawn. Among many keys weights are small: their square root shows. */
export function strengthOf(weight: number, keys: number): number {
  return keys > 48 ? Math.sqrt(weight) : weight;
}
