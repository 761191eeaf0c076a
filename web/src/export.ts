/** What is seen, as a file: SVG, PNG, JSON, npz. */
import { one } from './bytes';
import { npz, type NamedArray } from './npz';
import { CanvasPen, toSvg, type Drawing } from './pen';
import { theme } from './theme';
import { rolloutPrefix, tokensOf, type Head } from './types';
import { chosen, chosenStack, type Panel, type View } from './views/view';

export const formats = ['svg', 'png', 'json', 'npz'] as const;
export type Format = (typeof formats)[number];

/** Numbers in one file; beyond it only the chosen head is written. */
const mostNumbers = 1 << 24;
/** Of one answer. */
const bandBytes = 4 << 20;

export async function exportAs(format: Format, panel: Panel, view: View): Promise<void> {
  const { run, store } = panel;
  const name = `fovea-${run.id}-${store.state.view}.${format}`;
  save(name, await fileOf(format, panel, view));
}

async function fileOf(format: Format, panel: Panel, view: View): Promise<Blob> {
  switch (format) {
    case 'svg':
      return new Blob([svgOf(panel, view)], { type: 'image/svg+xml' });
    case 'png':
      return pngOf(view.drawing());
    case 'json':
      return new Blob([JSON.stringify(await jsonOf(panel))], { type: 'application/json' });
    case 'npz':
      return npz(await arraysOf(panel));
  }
}

function svgOf(panel: Panel, view: View) {
  const title = `${panel.run.model}: ${panel.run.input}`;
  return toSvg(view.drawing(), title.slice(0, 200), theme().paper);
}

function pngOf(drawing: Drawing): Promise<Blob> {
  const ratio = 2;
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(drawing.width * ratio);
  canvas.height = Math.ceil(drawing.height * ratio);
  const to = canvas.getContext('2d')!;
  to.scale(ratio, ratio);
  to.fillStyle = theme().paper;
  to.fillRect(0, 0, drawing.width, drawing.height);
  drawing.paint(new CanvasPen(to));
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error('the picture is too large')))),
  );
}

/** All queries and keys of one head, in bands. */
async function matrixOf(panel: Panel, layer: string, head: Head, queries: number, keys: number) {
  const out = new Float32Array(queries * keys);
  const band = Math.max(1, Math.floor(bandBytes / 2 / Math.max(keys, 1)));
  for (let q0 = 0; q0 < queries && keys; q0 += band) {
    const box = { q0, q1: Math.min(q0 + band, queries), k0: 0, k1: keys, step: 1 };
    const numbers = await panel.source.tile(panel.run, layer, head, box);
    numbers.forEach((number, i) => (out[q0 * keys + i] = number / one));
  }
  return out;
}

function subjectOf(panel: Panel) {
  const rollout = panel.store.state.view === 'rollout';
  const choice = chosen(panel);
  const layer = rollout ? chosenStack(panel) : choice.layer;
  const queries = tokensOf(panel.run, layer.queries);
  const keys = tokensOf(panel.run, layer.keys);
  const name = (rollout ? rolloutPrefix : '') + layer.name;
  return { layer, name, queries, keys, head: rollout ? ('mean' as const) : choice.head, rollout };
}

/** The run, and the weights of the layer and head that are shown. */
async function jsonOf(panel: Panel) {
  const layers = panel.run.layers.map(({ name, queries, keys, heads, kept }) => ({
    name,
    queries,
    keys,
    heads,
    kept,
  }));
  const run = { ...panel.run, layers };
  if (!layers.length) return run;
  const { name, queries, keys, head } = subjectOf(panel);
  const matrix = await matrixOf(panel, name, head, queries.length, keys.length);
  const rows = queries.map((_, q) =>
    Array.from(matrix.subarray(q * keys.length, (q + 1) * keys.length), (w) => +w.toFixed(5)),
  );
  return { ...run, shown: { layer: name, head, weights: rows } };
}

/** `weights` (heads, queries, keys), `heads`, `queries` and `keys`. */
async function arraysOf(panel: Panel): Promise<NamedArray[]> {
  const { layer, name, queries, keys, head, rollout } = subjectOf(panel);
  const size = queries.length * keys.length;
  const all = !rollout && layer.heads.length * size <= mostNumbers;
  const heads: Head[] = all ? layer.heads : [head];
  const weights = new Float32Array(heads.length * size);
  for (const [i, one] of heads.entries()) {
    weights.set(await matrixOf(panel, name, one, queries.length, keys.length), i * size);
  }
  return [
    { name: 'weights', shape: [heads.length, queries.length, keys.length], data: weights },
    { name: 'heads', shape: [heads.length], data: heads.map(String) },
    { name: 'queries', shape: [queries.length], data: queries },
    { name: 'keys', shape: [keys.length], data: keys },
    { name: 'layer', shape: [1], data: [name] },
  ];
}

function save(name: string, blob: Blob) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
