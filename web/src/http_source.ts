/** A source behind HTTP, as INTERFACE.md says. */
import type { Box, Progress, RunRequest, Source } from './source';
import { EventParser } from './sse';
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

  /** `base` is where the paths begin: empty for the origin of the page. */
  constructor(private readonly base = '') {}

  private async get(path: string, stop?: AbortSignal): Promise<Response> {
    return checked(await fetch(this.base + path, { signal: stop }));
  }

  async models(): Promise<Model[]> {
    return (await (await this.get('/v1/models')).json()).data;
  }

  async runs(): Promise<RunName[]> {
    return (await (await this.get('/v1/runs')).json()).data;
  }

  async run(request: RunRequest, on: (progress: Progress) => void, stop?: AbortSignal) {
    const answer = await checked(
      await fetch(this.base + '/v1/run', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({
          ...request,
          stream: true,
          attention: { layers: '*', heads: 'all', keep: 'all' },
        }),
        signal: stop,
      }),
    );
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

  training(on: (line: TrainingLine) => void, failed: (why: string) => void): () => void {
    const events = new EventSource(this.base + '/v1/training/events');
    events.onmessage = (event) => {
      const line = JSON.parse(event.data) as TrainingLine;
      // Otherwise the browser would connect again and be told everything once more.
      if (line.kind === 'end') events.close();
      on(line);
    };
    events.onerror = () => {
      if (events.readyState !== EventSource.CLOSED) return;
      failed('No training is going on here. Start one with: fovea train RECIPE --watch');
    };
    return () => events.close();
  }
}

async function readRun(answer: Response, on: (progress: Progress) => void): Promise<Run> {
  const parser = new EventParser();
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Error('the server ended the answer before it was complete');
    for (const { event, data } of parser.push(value)) {
      const message = JSON.parse(data);
      if (event === 'done') return message as Run;
      if (event === 'error') throw new Error(message.error.message);
      if (event === 'token' || event === 'replace') on({ kind: event, ...message });
    }
  }
}
