/** Made-up runs: small ones with everything that a run can have, and one that is large. */
import { toBase64 } from '../src/bytes';
import type { PageData } from '../src/embedded_source';
import type { Layer, Run, TrainingLine } from '../src/types';
import { TopWeights, type LayerWeights, type PackedWeights } from '../src/weights';

type Packed = PageData['runs'][number];

/** The same numbers each time (mulberry32). */
export function randomFrom(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function packed(numbers: Uint16Array): string {
  return toBase64(new Uint8Array(numbers.buffer));
}

/** Rows of softmax(score); a score of -Infinity is out of reach. */
function rowsOf(
  queries: number,
  keys: number,
  score: (q: number, k: number) => number,
): Uint16Array {
  const out = new Uint16Array(queries * keys);
  for (let q = 0; q < queries; ++q) {
    const powers = Array.from({ length: keys }, (_, k) => Math.exp(score(q, k)));
    const sum = powers.reduce((a, b) => a + b, 0);
    powers.forEach((power, k) => (out[q * keys + k] = Math.round((65535 * power) / sum)));
  }
  return out;
}

type Score = (q: number, k: number, head: number, random: () => number) => number;

function layerOf(
  name: string,
  queries: [string, string[]],
  keys: [string, string[]],
  heads: number,
  score: Score,
): Layer & PackedWeights {
  const random = randomFrom(
    name.length * 7919 + name.charCodeAt(name.length - 1) * 31 + name.charCodeAt(8),
  );
  const size = queries[1].length * keys[1].length;
  const all = new Uint16Array(heads * size);
  for (let head = 0; head < heads; ++head) {
    all.set(
      rowsOf(queries[1].length, keys[1].length, (q, k) => score(q, k, head, random)),
      head * size,
    );
  }
  const numbers = Array.from({ length: heads }, (_, head) => head);
  return {
    name,
    queries: queries[0],
    keys: keys[0],
    heads: numbers,
    kept: 'all',
    weights: packed(all),
  };
}

const english = [
  'The',
  'little',
  'dog',
  'runs',
  'through',
  'the',
  'tall',
  'grass',
  'behind',
  'the',
  'house',
  '.',
];
const german = [
  'Der',
  'kleine',
  'Hund',
  'l\u00e4uft',
  'hinter',
  'dem',
  'Haus',
  'durch',
  'das',
  'hohe',
  'Gras',
  '.',
];
const links = [0, 1, 2, 3, 8, 9, 10, 4, 5, 6, 7, 11];

const near = (distance: number, head: number) =>
  -Math.abs(distance - ((head % 5) - 2)) * (0.5 + head / 4);

export function translation(id: string, heads = 8, depth = 6): Packed {
  const source: [string, string[]] = ['source', english];
  const target: [string, string[]] = ['target', german];
  const own: Score = (q, k, head, random) => near(k - q, head) * (head < 6 ? 1 : 0.15) + random();
  const past: Score = (q, k, head, random) => (k > q ? -Infinity : near(k - q, head) + random());
  const layers: Packed['layers'] = [];
  for (let i = 0; i < depth; ++i)
    layers.push(layerOf(`encoder.${i}.self`, source, source, heads, own));
  for (let i = 0; i < depth; ++i) {
    const cross: Score = (q, k, head, random) =>
      (links[q] === k ? 1 + i * 0.35 + head * 0.12 : 0) -
      Math.abs(links[q] - k) * 0.06 * (i + (head % 3)) +
      1.6 * random();
    layers.push(layerOf(`decoder.${i}.self`, target, target, heads, past));
    layers.push(layerOf(`decoder.${i}.cross`, target, source, heads, cross));
  }
  const random = randomFrom(5);
  return {
    id,
    model: 'en-de',
    task: 'translate',
    input: english.join(' '),
    output: german.join(' ').replace(' .', '.'),
    sequences: [
      { name: 'source', tokens: english },
      { name: 'target', tokens: german },
    ],
    layers,
    alignment: { layer: `decoder.${depth - 2}.cross`, head: 'mean' },
    halting: [{ sequence: 'source', steps: english.map(() => 2 + Math.floor(random() * 5)) }],
    samples: [
      {
        layer: 'decoder.0.cross',
        head: 0,
        keys: german.map((_, q) =>
          Array.from({ length: 16 }, () => (random() < 0.7 ? links[q] : Math.floor(random() * 12))),
        ),
      },
    ],
  };
}

export function review(id: string): Packed {
  const text = [
    'I went in without any hope at all .',
    'What a surprise : a warm , clever and beautifully acted film .',
    'The music is a little loud .',
    'Still , go and see it !',
  ].map((sentence) => sentence.split(' '));
  const strong: Record<string, number> = {
    warm: 5,
    clever: 6,
    beautifully: 7,
    surprise: 4,
    hope: 2,
    loud: 4,
    see: 3,
  };
  const sentences = text.map((words, i) => {
    const powers = words.map((word) => Math.exp((strong[word] ?? 0) * 0.6));
    const sum = powers.reduce((a, b) => a + b, 0);
    return {
      weight: [0.08, 0.62, 0.12, 0.18][i],
      words,
      weights: powers.map((power) => power / sum),
    };
  });
  const words = text.flat();
  const label: [string, string[]] = ['label', ['positive']];
  return {
    id,
    model: 'reviews',
    task: 'classify',
    input: words.join(' '),
    output: 'positive',
    sequences: [
      { name: 'label', tokens: ['positive'] },
      { name: 'text', tokens: words },
    ],
    layers: [layerOf('words', label, ['text', words], 1, (_, k) => (strong[words[k]] ?? 0) * 0.6)],
    documents: [{ title: 'positive', sentences }],
  };
}

export function photograph(id: string): Packed {
  const [width, height, rows, columns] = [96, 96, 12, 12];
  const bytes = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      const ball = Math.hypot(x - 62, y - 40) < 18;
      const ground = y > 66;
      const colour = ball ? [214, 92, 40] : ground ? [92, 140, 84] : [168, 205, 232 - y / 2];
      bytes.set(colour, 3 * (y * width + x));
    }
  }
  const patches: [string, string[]] = [
    'patches',
    Array.from({ length: rows * columns }, (_, i) => `${Math.floor(i / columns)},${i % columns}`),
  ];
  const words: [string, string[]] = ['caption', ['an', 'orange', 'ball', 'over', 'green', 'grass']];
  const centres = [
    [5, 7],
    [5, 7],
    [5, 8],
    [7, 7],
    [10, 5],
    [10, 6],
  ];
  const away = (q: number, k: number) =>
    Math.hypot(Math.floor(k / columns) - centres[q][0], (k % columns) - centres[q][1]);
  return {
    id,
    model: 'captions',
    task: 'caption',
    input: 'ball.png',
    output: words[1].join(' '),
    sequences: [
      { name: 'patches', tokens: patches[1] },
      { name: 'caption', tokens: words[1] },
    ],
    layers: [
      layerOf(
        'decoder.0.cross',
        words,
        patches,
        4,
        (q, k, head) => -away(q, k) * (0.5 + head * 0.2),
      ),
    ],
    image: {
      width,
      height,
      channels: 3,
      pixels: toBase64(bytes),
      patches: { sequence: 'patches', first: 0, rows, columns },
      glimpses: [
        { x: 8, y: 60, width: 24, height: 24 },
        { x: 48, y: 26, width: 28, height: 28 },
      ],
    },
  };
}

/** Tokens, layers and heads of the large run. */
export const large = { tokens: 2000, layers: 24, heads: 16 };

export function largeRun(id: string): Run {
  const words = 'the a of to light model word over under and river then'.split(' ');
  const random = randomFrom(11);
  const tokens = Array.from(
    { length: large.tokens },
    () => words[Math.floor(random() * words.length)],
  );
  const heads = Array.from({ length: large.heads }, (_, head) => head);
  return {
    id,
    model: 'long-text',
    task: 'language',
    input: `${large.tokens} tokens`,
    output: '',
    sequences: [{ name: 'text', tokens }],
    layers: Array.from({ length: large.layers }, (_, i) => ({
      name: `layer.${i}.self`,
      queries: 'text',
      keys: 'text',
      heads,
      kept: 'top-8',
    })),
  };
}

/** Some heads look back by so many tokens, some at the first token, some at far ones. */
export function largeWeights(layer: number): LayerWeights {
  const { tokens: n, heads } = large;
  const count = 8;
  const keys = new Uint16Array(heads * n * count).fill(65535);
  const weights = new Uint16Array(keys.length);
  const random = randomFrom(layer + 1);
  for (let head = 0; head < heads; ++head) {
    const back = 1 + ((head * (layer + 3)) % 37) * (head % 4);
    for (let q = 0; q < n; ++q) {
      const at = (head * n + q) * count;
      const used = new Set<number>();
      for (let i = 0; i < count; ++i) {
        const far = head % 5 === 0 ? Math.floor(random() * (q + 1)) : q - back - i;
        const key = i === 0 ? 0 : Math.max(far, 0);
        if (key > q || used.has(key)) continue;
        used.add(key);
        keys[at + i] = key;
        weights[at + i] = Math.round(65535 * (i === 0 ? 0.2 + 0.3 * random() : 0.5 ** (i + 0.5)));
      }
    }
  }
  return new TopWeights(heads, n, n, count, keys, weights);
}

/** The lines of a training up to a step. */
export function trainingLines(steps: number): TrainingLine[] {
  const random = randomFrom(3);
  const lines: TrainingLine[] = [];
  for (let step = 100; step <= steps; step += 100) {
    const loss = 1.4 + 5 * Math.exp(-step / 1500) + 0.15 * random();
    lines.push({
      kind: 'train',
      step,
      epoch: Math.floor(step / 1000),
      losses: { loss },
      learning_rate: 1e-3 * Math.min(step / 800, Math.sqrt(800 / step)),
      gradient_norm: 0.5 + random(),
      per_second: 5200 + 300 * random(),
      seconds: step / 8,
    });
    if (step % 500) continue;
    const figures = { loss: loss + 0.2, bleu: 38 * (1 - Math.exp(-step / 2500)) };
    lines.push({
      kind: 'validation',
      step,
      epoch: Math.floor(step / 1000),
      figures,
      better: true,
      seconds: step / 8,
    });
    const sharp = Math.min(step / 1200, 4);
    const weights = rowsOf(
      german.length,
      english.length,
      (q, k) => (links[q] === k ? sharp : 0) + random() * 0.5,
    );
    lines.push({
      kind: 'attention',
      step,
      title: 'decoder.4.cross',
      queries: german,
      keys: english,
      weights: packed(weights),
    });
    const output = step < 1500 ? 'Der Hund Hund l\u00e4uft .' : german.join(' ');
    lines.push({
      kind: 'samples',
      step,
      samples: [{ input: english.join(' '), output, reference: german.join(' ') }],
    });
  }
  return lines;
}
