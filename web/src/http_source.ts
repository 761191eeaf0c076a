/** A source behind HTTP, as INTERFACE.md says. */
import type { Box, Progress, RunRequest, Source, TrainingListener } from './source';
import { eventsOf } from './sse';
import { numbersOf } from './bytes';
import type { Head, Measures, Model, Run, RunName, TrainingLine } from './types';

/** What the server said, with its status. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

async function checked(answer: Response): Promise<Response> {
  if (answer.ok) return answer;
  const body = await answer.json().catch(() => undefined);
  const message = body?.error?.message ?? `the server answered ${answer.status}`;
  throw new HttpError(answer.status, message);
}

export class HttpSource implements Source {
  readonly live = true;
  readonly trains = undefined;
  private key: string | undefined;

  /** `base` is where the paths begin: empty for the origin of the page. `askKey` is called when the
   * server wants a key. */
  constructor(
    private readonly base = '',
    private readonly askKey: () => string | null = () => null,
  ) {}

  private async fetch(path: string, options: RequestInit = {}): Promise<Response> {
    const sent = this.key;
    const headers = new Headers(options.headers);
    if (sent) headers.set('Authorization', `Bearer ${sent}`);
    const answer = await fetch(this.base + path, { ...options, headers });
    if (answer.status !== 401) return checked(answer);
    // Another request may have asked for it meanwhile.
    if (this.key === sent) this.key = this.askKey() ?? undefined;
    return this.key && this.key !== sent ? this.fetch(path, options) : checked(answer);
  }

  private get(path: string, stop?: AbortSignal): Promise<Response> {
    return this.fetch(path, { signal: stop });
  }

  async models(): Promise<Model[]> {
    return (await (await this.get('/v1/models')).json()).data;
  }

  async runs(): Promise<RunName[]> {
    return (await (await this.get('/v1/runs')).json()).data;
  }

  async run({ model, input, words }: RunRequest, on: (progress: Progress) => void, stop?: AbortSignal) {
    const answer = await this.fetch('/v1/run', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        model,
        input,
        stream: true,
        attention: { layers: '*', heads: 'all', keep: 'all', words: words ?? false },
      }),
      signal: stop,
    });
    const streams = answer.headers.get('Content-Type')?.startsWith('text/event-stream');
    return streams ? readRun(answer, on) : ((await answer.json()) as Run);
  }

  async metadata(id: string): Promise<Run> {
    return (await this.get(`/v1/runs/${encodeURIComponent(id)}`)).json();
  }

  tile(run: Run, layer: string, head: Head, box: Box, stop?: AbortSignal) {
    return this.numbers(run, layer, String(head), box, stop);
  }

  tiles(run: Run, layer: string, box: Box, stop?: AbortSignal) {
    return this.numbers(run, layer, 'all', box, stop);
  }

  private async numbers(run: Run, layer: string, head: string, box: Box, stop?: AbortSignal) {
    const { q0, q1, k0, k1, step } = box;
    const query = Object.entries({ layer, head, q0, q1, k0, k1, step })
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&');
    const answer = await this.get(`/v1/runs/${encodeURIComponent(run.id)}/tile?${query}`, stop);
    return numbersOf(await answer.arrayBuffer());
  }

  async received(run: Run, layer: string, head: Head): Promise<number[]> {
    const query = `layer=${encodeURIComponent(layer)}&head=${head}`;
    const path = `/v1/runs/${encodeURIComponent(run.id)}/received?${query}`;
    return (await (await this.get(path)).json()).received;
  }

  async measures(run: Run): Promise<Measures> {
    return (await this.get(`/v1/runs/${encodeURIComponent(run.id)}/measures`)).json();
  }

  training(listener: TrainingListener): () => void {
    const stop = new AbortController();
    void this.follow(listener, stop.signal);
    return () => stop.abort();
  }

  /** Connects again when the connection is lost; everything is told once more then. */
  private async follow(listener: TrainingListener, stop: AbortSignal) {
    while (!stop.aborted) {
      try {
        const answer = await this.get('/v1/training/events', stop);
        listener.restart();
        for await (const { data } of eventsOf(answer)) {
          const line = JSON.parse(data) as TrainingLine;
          listener.line(line);
          if (line.kind === 'end') return;
        }
      } catch (error) {
        if (stop.aborted) return;
        if (error instanceof HttpError) return listener.failed(error.message);
      }
      await new Promise((done) => setTimeout(done, 2000));
    }
  }
}

async function readRun(answer: Response, on: (progress: Progress) => void): Promise<Run> {
  for await (const { event, data } of eventsOf(answer)) {
    const message = JSON.parse(data);
    if (event === 'done') return message as Run;
    if (event === 'error') throw new Error(message.error.message);
    if (event === 'token' || event === 'replace') on({ kind: event, ...message });
  }
  throw new Error('the server ended the answer before it was complete');
}
