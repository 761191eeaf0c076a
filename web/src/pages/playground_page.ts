/** Type, see the answer come, and where the model looked. */
import { chooser, h, messageOf } from '../dom';
import type { Runs } from '../runs';
import type { Progress, Source } from '../source';
import type { Store } from '../store';
import type { Model, Run } from '../types';
import { TokenLines } from './token_lines';

export class PlaygroundPage {
  readonly element = h('main', { id: 'main' });
  private readonly text = h('textarea', { id: 'input', rows: 3, spellcheck: 'false' });
  private readonly words = h('input', { type: 'checkbox', id: 'words' });
  private readonly start = h('button', { class: 'primary', onclick: () => this.go() }, 'Run');
  private readonly result = h('div', { class: 'result' });
  private models: Model[] = [];
  private model = '';
  private running: AbortController | undefined;
  private lines: TokenLines | undefined;
  private readonly stopListening: () => void;

  constructor(
    private readonly source: Source,
    private readonly store: Store,
    private readonly runs: Runs,
  ) {
    this.stopListening = store.listen((before) => {
      const { state } = store;
      if (state.page === 'playground' && before.run !== state.run) void this.restore();
    });
    this.text.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) this.go();
    });
    void this.build();
  }

  close() {
    this.stopListening();
    this.running?.abort();
    this.lines?.close();
  }

  private async build() {
    try {
      this.models = await this.source.models();
    } catch (error) {
      this.fail(error);
      this.element.replaceChildren(this.result);
      return;
    }
    const { model, input } = this.store.state;
    this.model = this.models.find((m) => m.id === model)?.id ?? this.models[0]?.id ?? '';
    this.text.value = input ?? this.example() ?? '';
    const options = this.models.map(({ id, task }) => ({
      value: id,
      text: task ? `${id} (${task})` : id,
    }));
    this.element.replaceChildren(
      h('h1', { class: 'hidden' }, 'Playground'),
      h(
        'div',
        { class: 'ask' },
        chooser('Model', options, this.model, (id) => this.choose(id)),
        h('label', { class: 'hidden', for: 'input' }, 'Text for the model'),
        this.text,
        h(
          'div',
          { class: 'row' },
          this.start,
          h('span', { class: 'keys' }, 'Ctrl + Enter'),
          h('label', { for: 'words' }, this.words, ' Whole words'),
        ),
      ),
      this.result,
    );
    void this.restore();
  }

  private example() {
    return this.models.find((m) => m.id === this.model)?.example;
  }

  /** A text that was only an example gives way to that of the new model. */
  private choose(id: string) {
    const untouched = this.text.value === (this.example() ?? '');
    this.model = id;
    if (untouched) this.text.value = this.example() ?? '';
  }

  private async restore() {
    if (this.running) return;
    try {
      const run = await this.runs.current();
      if (run) this.show(run);
    } catch (error) {
      this.fail(error);
    }
  }

  private async go() {
    if (this.running) {
      this.running.abort();
      return;
    }
    const stop = (this.running = new AbortController());
    this.start.textContent = 'Stop';
    const coming = h('p', { class: 'coming', 'aria-live': 'polite', 'aria-busy': 'true' });
    this.lines?.close();
    this.result.replaceChildren(coming);
    const request = { model: this.model, input: this.text.value };
    try {
      const run = await this.source.run(
        { ...request, words: this.words.checked },
        (progress) => this.hear(coming, progress),
        stop.signal,
      );
      this.runs.add(run);
      this.store.set({
        run: run.id,
        ...request,
        other: undefined,
        pin: undefined,
        frame: undefined,
        layer: undefined,
        head: undefined,
        heads: undefined,
      });
      this.show(run);
    } catch (error) {
      if (!stop.signal.aborted) this.fail(error);
    } finally {
      this.running = undefined;
      this.start.textContent = 'Run';
    }
  }

  private hear(coming: HTMLElement, progress: Progress) {
    const words = progress.kind === 'token' ? [progress.token] : progress.tokens;
    if (progress.kind === 'replace') coming.replaceChildren();
    coming.append(...words.map((word) => h('span', { class: 'token' }, word)));
  }

  private show(run: Run) {
    this.lines?.close();
    const { pin } = this.store.state;
    this.lines = new TokenLines(run, this.source, pin, (next) => this.store.set({ pin: next }));
    const look = () => this.store.set({ page: 'views', run: run.id });
    this.result.replaceChildren(
      ...(isAnswer(this.lines.words, run.output) ? [] : [h('p', { class: 'output' }, run.output)]),
      this.lines.element,
      h('button', { onclick: look }, 'See every layer and head'),
    );
  }

  private fail(error: unknown) {
    this.result.replaceChildren(h('p', { class: 'error', role: 'alert' }, messageOf(error)));
  }
}

/** Whether the words that can be hovered are the answer itself: then it need not stand there twice. */
function isAnswer(words: string[], output: string): boolean {
  const bare = (text: string) => text.replace(/\s/g, '');
  return bare(words.join('')) === bare(output);
}
