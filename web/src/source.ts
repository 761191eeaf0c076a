/** Where runs and their weights come from: a server, or the page itself. */
import type { Head, Measures, Model, Run, RunName, TrainingLine } from './types';

/** Queries q0 to q1 - 1 and keys k0 to k1 - 1, the largest of each block of step x step. */
export interface Box {
  q0: number;
  q1: number;
  k0: number;
  k1: number;
  step: number;
}

export const rowsOf = (box: Box) => Math.ceil((box.q1 - box.q0) / box.step);
export const columnsOf = (box: Box) => Math.ceil((box.k1 - box.k0) / box.step);

export interface RunRequest {
  model: string;
  input: string;
  /** In whole words, where the model reads and writes pieces of them. */
  words?: boolean;
}

/** What a run tells while it is going on. */
export type Progress =
  | { kind: 'token'; sequence: string; token: string }
  | { kind: 'replace'; sequence: string; tokens: string[] };

export interface TrainingListener {
  /** From here on all lines are told from the first. */
  restart(): void;
  line(line: TrainingLine): void;
  failed(why: string): void;
}

export interface Source {
  /** Whether models can be run. */
  readonly live: boolean;
  /** Whether there is a training to show; undefined: ask. */
  readonly trains: boolean | undefined;
  models(): Promise<Model[]>;
  runs(): Promise<RunName[]>;
  run(request: RunRequest, on: (progress: Progress) => void, stop?: AbortSignal): Promise<Run>;
  metadata(id: string): Promise<Run>;
  /** 65535 stands for 1. `layer` is a name, or "rollout:" and a name. */
  tile(run: Run, layer: string, head: Head, box: Box, stop?: AbortSignal): Promise<Uint16Array>;
  /** The same for every head kept, one after the other. */
  tiles(run: Run, layer: string, box: Box, stop?: AbortSignal): Promise<Uint16Array>;
  received(run: Run, layer: string, head: Head): Promise<number[]>;
  measures(run: Run): Promise<Measures>;
  /** Tells every line so far and then each new one; gives a function that ends it. */
  training(listener: TrainingListener): () => void;
}
