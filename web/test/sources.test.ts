/** The same run over HTTP and out of a page gives the same numbers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { trainingLines, translation } from '../e2e/mock_data';
import { MockServer } from '../e2e/mock_server';
import { EmbeddedSource } from '../src/embedded_source';
import { HttpError, HttpSource } from '../src/http_source';
import type { Progress } from '../src/source';
import type { Run, TrainingLine } from '../src/types';

const server = new MockServer();
let http: HttpSource;
let run: Run;
let url: string;
const heard: Progress[] = [];

beforeAll(async () => {
  url = await server.start();
  http = new HttpSource(url);
  run = await http.run({ model: 'en-de', input: 'hello' }, (progress) => heard.push(progress));
});
afterAll(() => server.stop());

describe('sources', () => {
  const embedded = () => new EmbeddedSource({ title: '', runs: [translation(run.id)] });
  const box = { q0: 1, q1: 12, k0: 0, k1: 9, step: 2 };

  it('tell tokens as they come', () => {
    expect(heard.map((p) => p.kind === 'token' && p.token).slice(0, 3)).toEqual([
      'Der',
      'kleine',
      'Hund',
    ]);
    expect(run.layers[0]).not.toHaveProperty('weights');
  });

  it('agree on tiles', async () => {
    for (const [layer, head] of [
      ['decoder.2.cross', 3],
      ['encoder.0.self', 'mean'],
      ['rollout:encoder.3.self', 'mean'],
    ] as const) {
      const mine = await embedded().metadata(run.id);
      const tile = await embedded().tile(mine, layer, head, box);
      expect(await http.tile(run, layer, head, box)).toEqual(tile);
      expect(tile.length).toBe(6 * 5);
      expect(tile.some((weight) => weight > 0)).toBe(true);
    }
    const mine = await embedded().metadata(run.id);
    const all = await http.tiles(run, 'decoder.2.cross', box);
    expect(all).toEqual(await embedded().tiles(mine, 'decoder.2.cross', box));
    expect(all.length).toBe(8 * 6 * 5);
  });

  it('agree on what was received, and on measures', async () => {
    const mine = await embedded().metadata(run.id);
    const received = await http.received(run, 'decoder.2.cross', 'mean');
    expect(received).toEqual(await embedded().received(mine, 'decoder.2.cross', 'mean'));
    expect(received.reduce((a, b) => a + b)).toBeCloseTo(12, 2);
    const measures = await http.measures(run);
    expect(measures).toEqual(await embedded().measures(mine));
    const cross = measures.layers.find((layer) => layer.name === 'decoder.0.cross')!;
    expect(cross.distance).toBeNull();
  });

  it('ask for a key once', async () => {
    server.key = 'secret';
    const given = [null, 'secret'];
    const keyed = new HttpSource(url, () => given.shift() ?? null);
    await expect(keyed.runs()).rejects.toThrow('a key is needed');
    expect(await keyed.runs()).toHaveLength(1);
    expect(await keyed.models()).not.toHaveLength(0);
    expect(given).toEqual([]);
    server.key = '';
  });

  it('tell a training from its start', async () => {
    const lines: TrainingLine[] = [];
    const stop = http.training({
      restart: () => lines.splice(0),
      line: (line) => lines.push(line),
      failed: (why) => expect.unreachable(why),
    });
    await expect.poll(() => lines.length).toBe(trainingLines(8000).length);
    stop();
    expect(lines).toEqual(trainingLines(8000));
  });

  it('say what was wrong', async () => {
    await expect(http.metadata('none')).rejects.toEqual(
      new HttpError(404, 'this page has no run "none"'),
    );
    await expect(http.run({ model: 'x', input: 'a' }, () => {})).rejects.toThrow(
      'there is no model "x"',
    );
    await expect(http.tile(run, 'encoder.0.self', 0, { ...box, q1: 99 })).rejects.toThrow(
      'queries 1 to 99',
    );
    await expect(http.tile(run, 'rollout:decoder.0.cross', 'mean', box)).rejects.toThrow(
      'another sequence',
    );
  });
});
