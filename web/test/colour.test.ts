import { describe, expect, it } from 'vitest';
import { darkTheme, heat, inkOn, lightTheme, lineColour, strengthOf } from '../src/colour';

function luminance(hex: string): number {
  const channels = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
  const [r, g, b] = channels.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

describe('colours', () => {
  it('are those of the SVGs that the program writes', () => {
    expect(heat(lightTheme, 0)).toBe('#ffffff');
    expect(heat(lightTheme, 0.6)).toBe('#ee7a33');
    expect(heat(lightTheme, 1)).toBe('#6f1f06');
    expect(heat(lightTheme, NaN)).toBe('#ffffff');
  });

  it.each([lightTheme, darkTheme])(
    'rise in one direction, and words on them can be read',
    (theme) => {
      let before = luminance(heat(theme, 0));
      for (let i = 1; i <= 100; ++i) {
        const light = luminance(heat(theme, i / 100));
        expect(theme.dark ? light >= before : light <= before).toBe(true);
        const ink = luminance(inkOn(theme, i / 100));
        const contrast = (Math.max(ink, light) + 0.05) / (Math.min(ink, light) + 0.05);
        expect(contrast).toBeGreaterThan(4.5);
        before = light;
      }
    },
  );

  it('give each of 14 heads another line', () => {
    const lines = Array.from({ length: 14 }, (_, i) => JSON.stringify(lineColour(lightTheme, i)));
    expect(new Set(lines).size).toBe(14);
  });

  it('show small weights among many keys', () => {
    expect(strengthOf(0.04, 2000)).toBeCloseTo(0.2);
    expect(strengthOf(0.04, 12)).toBe(0.04);
  });
});
