/** The state of the page, its link, and who wants to know. */
import { fromHash, toHash, type State } from './hash';

export class Store {
  private current = fromHash(location.hash);
  private readonly listeners = new Set<(before: State) => void>();
  private writing: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    addEventListener('hashchange', () => {
      clearTimeout(this.writing);
      this.writing = undefined;
      this.adopt(fromHash(location.hash));
    });
  }

  get state(): Readonly<State> {
    return this.current;
  }

  /** Another page or run is a new entry of the browser's history; the rest is not. */
  set(change: Partial<State>) {
    const next = { ...this.current, ...change };
    const goes = next.page !== this.current.page || next.run !== this.current.run;
    if (goes) {
      this.writeLink();
      history.pushState(null, '', toHash(next));
    } else {
      // Browsers refuse addresses that change in every frame.
      this.writing ??= setTimeout(() => this.writeLink(), 200);
    }
    this.adopt(next);
  }

  /** The whole address of what is seen. */
  link(): string {
    return new URL(toHash(this.current), location.href).href;
  }

  private writeLink() {
    if (this.writing === undefined) return;
    clearTimeout(this.writing);
    this.writing = undefined;
    history.replaceState(null, '', toHash(this.current));
  }

  listen(listener: (before: State) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private adopt(next: State) {
    const before = this.current;
    this.current = next;
    for (const listener of [...this.listeners]) listener(before);
  }
}
