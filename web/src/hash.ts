/** What is on the screen, as the part of the address behind #: a link restores it. */
import type { Head } from './types';

export const pages = ['playground', 'views', 'training'] as const;
export type Page = (typeof pages)[number];

export const viewNames = [
  'map',
  'heads',
  'model',
  'document',
  'image',
  'received',
  'rollout',
  'measures',
  'halting',
  'samples',
] as const;
export type ViewName = (typeof viewNames)[number];

export interface State {
  page: Page;
  /** The run that is shown, and one to compare it with. */
  run?: string;
  other?: string;
  /** To run it again when the server has forgotten it. */
  model?: string;
  input?: string;
  view: ViewName;
  layer?: string;
  head?: Head;
  /** Those of the head view; none: all. */
  heads?: number[];
  threshold: number;
  /** The query that was clicked. */
  pin?: number;
  /** Of the map: its upper left corner in tokens and its pixels a token. None: all of it. */
  frame?: { x: number; y: number; scale: number };
}

export const startState: State = { page: 'playground', view: 'map', threshold: 0 };

/** Longer inputs would make links that break. */
const longestInput = 1500;

export function toHash(state: State): string {
  const query = new URLSearchParams();
  const put = (name: string, value: string | number | undefined) => {
    if (value !== undefined) query.set(name, String(value));
  };
  put('run', state.run);
  put('with', state.other);
  put('model', state.model);
  if ((state.input?.length ?? 0) <= longestInput) put('input', state.input);
  if (state.page === 'views') {
    put('view', state.view);
    put('layer', state.layer);
    put('head', state.head);
    put('heads', state.heads?.join('.'));
    put('threshold', state.threshold || undefined);
    put('pin', state.pin);
    const { frame } = state;
    put('frame', frame && [frame.x, frame.y, frame.scale].map((v) => +v.toFixed(3)).join('_'));
  }
  const text = query.toString();
  return `#/${state.page}${text ? '?' + text : ''}`;
}

const among = <T extends string>(names: readonly T[], name: string | null): T | undefined =>
  names.find((candidate) => candidate === name);

function numberOf(text: string | null): number | undefined {
  const value = Number(text);
  return text !== null && text !== '' && Number.isFinite(value) ? value : undefined;
}

/** What a link does not say, or says wrongly, is as at the start. */
export function fromHash(hash: string): State {
  const [path, text = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const query = new URLSearchParams(text);
  const word = (name: string) => query.get(name) ?? undefined;
  const frame = query.get('frame')?.split('_').map(Number);
  const heads = query.get('heads')?.split('.').filter(Boolean).map(Number);
  return {
    page: among(pages, path) ?? startState.page,
    run: word('run'),
    other: word('with'),
    model: word('model'),
    input: word('input'),
    view: among(viewNames, query.get('view')) ?? startState.view,
    layer: word('layer'),
    head: query.get('head') === 'mean' ? 'mean' : numberOf(query.get('head')),
    heads: heads?.every(Number.isInteger) ? heads : undefined,
    threshold: Math.min(Math.max(numberOf(query.get('threshold')) ?? 0, 0), 1),
    pin: numberOf(query.get('pin')),
    frame:
      frame?.length === 3 && frame.every(Number.isFinite) && frame[2] > 0
        ? { x: frame[0], y: frame[1], scale: frame[2] }
        : undefined,
  };
}
