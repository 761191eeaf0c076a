/** The runs that the page knows. */
import { HttpError } from './http_source';
import type { Source } from './source';
import type { Store } from './store';
import type { Run } from './types';

export class Runs {
  private readonly known = new Map<string, Promise<Run>>();

  constructor(
    private readonly source: Source,
    private readonly store: Store,
  ) {}

  add(run: Run) {
    this.known.set(run.id, Promise.resolve(run));
  }

  get(id: string): Promise<Run> {
    let run = this.known.get(id);
    if (!run) {
      run = this.source.metadata(id);
      run.catch(() => this.known.delete(id));
      this.known.set(id, run);
    }
    return run;
  }

  /** The run of the link; run again if the server has forgotten it. */
  async current(): Promise<Run | undefined> {
    const { run: id, model, input } = this.store.state;
    if (!id) return undefined;
    try {
      return await this.get(id);
    } catch (error) {
      const forgotten = error instanceof HttpError && error.status === 404;
      if (!forgotten || !model || input === undefined) throw error;
      const run = await this.source.run({ model, input }, () => {});
      this.add(run);
      this.store.set({ run: run.id });
      return run;
    }
  }
}
