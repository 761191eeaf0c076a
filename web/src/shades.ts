/** From numbers to how strongly something is shown. */
import type { TextDocument } from './types';

/** How strongly each word is shaded, the strongest by 1: sqrt(weight of the sentence) times the
 * weight of the word. Yang et al. 2016, 3.5. */
export function shadesOf(document: TextDocument): number[][] {
  const shades = document.sentences.map((sentence) =>
    sentence.weights.map((weight) => Math.sqrt(sentence.weight) * weight),
  );
  const largest = Math.max(...shades.flat(), 1e-9);
  return shades.map((row) => row.map((shade) => shade / largest));
}

/** The value of a full bar: the largest, unless a few tower above all others (as the first or last
 * token often does), which would leave nothing to see of the rest. */
export function fullBar(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const usual = sorted[Math.floor(0.9 * (sorted.length - 1))] ?? 0;
  const largest = sorted.at(-1) ?? 0;
  return Math.max(usual > 0 ? Math.min(largest, 3 * usual) : largest, 1e-9);
}

/** How often each key was drawn, as a share of all draws. */
export function shares(keys: number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1 / keys.length);
  return counts;
}
