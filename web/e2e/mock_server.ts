/** A server that does what INTERFACE.md says, with made-up runs. */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EmbeddedSource } from '../src/embedded_source';
import type { Layer, Run } from '../src/types';
import type { LayerWeights } from '../src/weights';
import {
  largeRun,
  largeWeights,
  photograph,
  review,
  trainingLines,
  translation,
} from './mock_data';

const page = new URL('../dist/index.html', import.meta.url);

const makers: Record<string, (id: string) => Run> = {
  'en-de': (id) => translation(id),
  'en-de-small': (id) => ({ ...translation(id, 4, 3), model: 'en-de-small' }),
  reviews: review,
  captions: photograph,
  'long-text': largeRun,
};

class MockSource extends EmbeddedSource {
  private readonly large = new Map<string, LayerWeights>();

  constructor(private readonly kept: Run[]) {
    super({ title: 'mock', runs: kept });
  }

  /** Made when asked for: the large run would be 3 GB. */
  protected override weightsOf(run: Run, layer: Layer): LayerWeights {
    if (run.model !== 'long-text') return super.weightsOf(run, layer);
    let weights = this.large.get(layer.name);
    if (!weights) {
      weights = largeWeights(run.layers.indexOf(layer));
      this.large.set(layer.name, weights);
    }
    return weights;
  }

  add(model: string, input: string): Run {
    const made = { ...makers[model](`r${this.kept.length + 1}`), input };
    this.kept.unshift(made);
    return made;
  }
}

class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const wait = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

export class MockServer {
  private readonly server: Server;
  readonly source = new MockSource([]);
  requests: string[] = [];
  /** Needed for everything but the page, if it is set. */
  key = '';

  constructor() {
    this.server = createServer((request, answer) => {
      this.requests.push(request.url!);
      this.answer(request, answer).catch((error) => {
        const status =
          error instanceof Refusal ? error.status : error instanceof RangeError ? 400 : 500;
        send(answer, status, { error: { message: error.message } });
      });
    });
  }

  async start(port = 0): Promise<string> {
    await new Promise<void>((done) => this.server.listen(port, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async answer(request: IncomingMessage, answer: ServerResponse) {
    const url = new URL(request.url!, 'http://here');
    const sent = request.headers.authorization;
    if (this.key && url.pathname !== '/' && sent !== `Bearer ${this.key}`) {
      throw new Refusal(401, 'a key is needed');
    }
    const [, , what, id, part] = url.pathname.split('/');
    if (url.pathname === '/') {
      answer.writeHead(200, {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy':
          "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; connect-src 'self'",
      });
      answer.end(readFileSync(page));
    } else if (url.pathname === '/v1/models') {
      const example = translation('x').input;
      send(answer, 200, { data: Object.keys(makers).map((model) => ({ id: model, example })) });
    } else if (url.pathname === '/v1/run') {
      await this.run(request, answer);
    } else if (url.pathname === '/v1/training/events') {
      this.training(answer);
    } else if (what === 'runs' && !id) {
      send(answer, 200, { data: await this.source.runs() });
    } else if (what === 'runs') {
      await this.part(answer, await this.find(id), part, url.searchParams);
    } else {
      throw new Refusal(404, `there is nothing at ${url.pathname}`);
    }
  }

  private async find(id: string): Promise<Run> {
    return this.source.metadata(id).catch((error) => {
      throw new Refusal(404, error.message);
    });
  }

  private async part(
    answer: ServerResponse,
    run: Run,
    part: string | undefined,
    query: URLSearchParams,
  ) {
    const layer = query.get('layer') ?? '';
    const text = query.get('head') ?? 'mean';
    const head = text === 'mean' ? text : Number(text);
    if (part === undefined) {
      send(answer, 200, {
        ...run,
        layers: run.layers.map(({ name, queries, keys, heads, kept }) => ({
          name,
          queries,
          keys,
          heads,
          kept,
        })),
      });
    } else if (part === 'tile') {
      const [q0, q1, k0, k1, step] = ['q0', 'q1', 'k0', 'k1', 'step'].map((name) =>
        Number(query.get(name)),
      );
      const box = { q0, q1, k0, k1, step };
      const numbers = await (text === 'all'
        ? this.source.tiles(run, layer, box)
        : this.source.tile(run, layer, head, box));
      answer.writeHead(200, { 'Content-Type': 'application/octet-stream' });
      answer.end(new Uint8Array(numbers.buffer));
    } else if (part === 'received') {
      send(answer, 200, { received: await this.source.received(run, layer, head) });
    } else if (part === 'measures') {
      send(answer, 200, await this.source.measures(run));
    } else {
      throw new Refusal(404, `a run has no ${part}`);
    }
  }

  private async run(request: IncomingMessage, answer: ServerResponse) {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const { model, input } = JSON.parse(Buffer.concat(pieces).toString());
    if (!makers[model]) throw new Refusal(404, `there is no model "${model}"`);
    if (!input.trim()) throw new Refusal(400, 'the input is empty');
    const run = this.source.add(model, input);
    answer.writeHead(200, { 'Content-Type': 'text/event-stream' });
    const tell = (event: string, data: unknown) =>
      answer.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    for (const token of run.output.split(' ')) {
      tell('token', { sequence: 'target', token });
      await wait(20);
    }
    const { layers, ...rest } = run;
    tell('done', {
      ...rest,
      layers: layers.map(({ name, queries, keys, heads }) => ({ name, queries, keys, heads })),
    });
    answer.end();
  }

  private training(answer: ServerResponse) {
    answer.writeHead(200, { 'Content-Type': 'text/event-stream' });
    for (const line of trainingLines(8000)) answer.write(`data: ${JSON.stringify(line)}\n\n`);
  }
}

function send(answer: ServerResponse, status: number, body: unknown) {
  answer.writeHead(status, { 'Content-Type': 'application/json' });
  answer.end(JSON.stringify(body));
}
