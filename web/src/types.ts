/** What a run is made of. INTERFACE.md says what each field means. */

export interface Sequence {
  name: string;
  tokens: string[];
}

export interface Layer {
  name: string;
  queries: string;
  keys: string;
  heads: number[];
  kept?: string;
}

/** A head by its number, or the mean of those that were kept. */
export type Head = number | 'mean';

export interface TextDocument {
  title: string;
  sentences: { weight: number; words: string[]; weights: number[] }[];
}

export interface Glimpse {
  x: number;
  y: number;
  width: number;
  height: number;
  weight?: number;
}

export interface Picture {
  width: number;
  height: number;
  channels: number;
  pixels: string;
  patches?: { sequence: string; first: number; rows: number; columns: number };
  glimpses?: Glimpse[];
}

export interface Halting {
  sequence: string;
  steps: number[];
}

export interface Samples {
  layer: string;
  head: number;
  keys: number[][];
}

export interface Run {
  id: string;
  model: string;
  task: string;
  input: string;
  output: string;
  sequences: Sequence[];
  layers: Layer[];
  alignment?: { layer: string; head: Head };
  documents?: TextDocument[];
  image?: Picture;
  halting?: Halting[];
  samples?: Samples[];
}

export interface RunName {
  id: string;
  model: string;
  input: string;
}

export interface Model {
  id: string;
  task?: string;
  example?: string;
}

export interface Measures {
  layers: { name: string; entropy: number[]; distance: number[] | null }[];
}

export type TrainingLine =
  | {
      kind: 'train';
      step: number;
      epoch: number;
      losses: Record<string, number>;
      learning_rate: number;
      gradient_norm: number;
      per_second: number;
      seconds: number;
    }
  | {
      kind: 'validation';
      step: number;
      epoch: number;
      figures: Record<string, number>;
      better: boolean;
      seconds: number;
    }
  | {
      kind: 'samples';
      step: number;
      samples: { input: string; output: string; reference?: string }[];
    }
  | {
      kind: 'attention';
      step: number;
      title: string;
      queries: string[];
      keys: string[];
      weights: string;
    }
  | { kind: 'end'; reason: string };

export const rolloutPrefix = 'rollout:';

/** The layer of a name, which may stand after "rollout:". */
export function layerOf(run: Run, name: string): Layer {
  const plain = name.startsWith(rolloutPrefix) ? name.slice(rolloutPrefix.length) : name;
  const layer = run.layers.find((candidate) => candidate.name === plain);
  if (!layer) throw new Error(`this run has no layer "${plain}"`);
  return layer;
}

export function tokensOf(run: Run, sequence: string): string[] {
  const found = run.sequences.find((candidate) => candidate.name === sequence);
  if (!found) throw new Error(`this run has no sequence "${sequence}"`);
  return found.tokens;
}

/** The tokens of a sequence that are no patches of the run's image, such as a class token. */
export function tokensBesidePatches(run: Run, sequence: string): { token: string; at: number }[] {
  const tokens = tokensOf(run, sequence).map((token, at) => ({ token, at }));
  const patches = run.image?.patches;
  if (patches?.sequence !== sequence) return tokens;
  const end = patches.first + patches.rows * patches.columns;
  return tokens.filter(({ at }) => at < patches.first || at >= end);
}

/** What to show first: what the model calls its alignment, else the last layer that looks at
 * another sequence, else the last one. */
export function alignmentOf(run: Run): { layer: Layer; head: Head } | undefined {
  if (run.alignment) {
    return { layer: layerOf(run, run.alignment.layer), head: run.alignment.head };
  }
  const layer = run.layers.findLast((l) => l.queries !== l.keys) ?? run.layers.at(-1);
  return layer && { layer, head: 'mean' };
}

/** The layers that attention rollout up to `layer` runs through. */
export function stackUpTo(run: Run, layer: Layer): Layer[] {
  const end = run.layers.indexOf(layer) + 1;
  return run.layers
    .slice(0, end)
    .filter((l) => l.queries === layer.queries && l.keys === l.queries);
}
