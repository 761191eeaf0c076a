/** The views of one run, or of two side by side. */
import { Controls } from '../controls';
import { chooser, h, messageOf } from '../dom';
import { exportAs, formats } from '../export';
import type { State, ViewName } from '../hash';
import { shorten } from '../layout';
import type { Runs } from '../runs';
import type { Source } from '../source';
import type { Store } from '../store';
import { onTheme } from '../theme';
import { TileStore } from '../tiles';
import type { Run, RunName } from '../types';
import { HeadsView } from '../views/heads_view';
import { ImageView } from '../views/image_view';
import { MapView } from '../views/map_view';
import { MeasuresView } from '../views/measures_view';
import { ModelView } from '../views/model_view';
import { SamplesView } from '../views/samples_view';
import { DocumentView, HaltingView, ReceivedView } from '../views/text_views';
import type { Panel, View } from '../views/view';

interface Kind {
  title: string;
  fits(run: Run): boolean;
  open(panel: Panel): View;
}

const some = (run: Run) => run.layers.length > 0;

const kinds: Record<ViewName, Kind> = {
  map: { title: 'Map', fits: some, open: (panel) => new MapView(panel) },
  heads: { title: 'Heads', fits: some, open: (panel) => new HeadsView(panel) },
  model: { title: 'Model', fits: some, open: (panel) => new ModelView(panel) },
  document: {
    title: 'Document',
    fits: (run) => !!run.documents?.length,
    open: (panel) => new DocumentView(panel),
  },
  image: { title: 'Image', fits: (run) => !!run.image, open: (panel) => new ImageView(panel) },
  received: { title: 'Received', fits: some, open: (panel) => new ReceivedView(panel) },
  rollout: {
    title: 'Rollout',
    fits: (run) => run.layers.some((l) => l.queries === l.keys),
    open: (panel) => new MapView(panel, true),
  },
  measures: { title: 'Entropy and distance', fits: some, open: (panel) => new MeasuresView(panel) },
  halting: {
    title: 'Halting',
    fits: (run) => !!run.halting?.length,
    open: (panel) => new HaltingView(panel),
  },
  samples: {
    title: 'Samples',
    fits: (run) => !!run.samples?.length,
    open: (panel) => new SamplesView(panel),
  },
};

const explained: Partial<Record<ViewName, string>> = {
  map: 'Each row is a token that looks; the stronger the colour, the more it looks there.',
  heads: 'Lines from the tokens that look to those looked at; a colour for each head.',
  model: 'Every layer (rows) and head (columns). Choose one to enlarge it.',
  document: 'Words shaded by how much they counted; bars show the weight of sentences.',
  image: 'The picture is clear where the chosen token looked; frames are glimpses in their order.',
  received:
    'How much attention each token received, summed over all that looked. The darkest are higher than shown.',
  rollout: 'Attention followed through all layers up to this one (Abnar and Zuidema 2020).',
  measures: 'A dot for each head: its colour is that of the head view.',
  halting: 'How many steps the model spent on each token.',
  samples: 'Which tokens hard attention drew.',
};

interface Open {
  panel: Panel;
  /** None where the run kept nothing to look at. */
  view?: View;
}

export class ViewsPage {
  readonly element = h('main', { id: 'main' });
  private open: Open[] = [];
  private controls: Controls | undefined;
  private round = 0;
  private readonly stopListening: () => void;
  private readonly offTheme = onTheme(() => this.controls?.sync());
  private readonly onKey = (event: KeyboardEvent) => this.key(event);

  constructor(
    private readonly source: Source,
    private readonly store: Store,
    private readonly runs: Runs,
  ) {
    this.stopListening = store.listen((before) => this.changed(before));
    addEventListener('keydown', this.onKey);
    void this.build();
  }

  close() {
    ++this.round;
    this.stopListening();
    this.offTheme();
    removeEventListener('keydown', this.onKey);
    this.closeViews();
  }

  private closeViews() {
    for (const { view, panel } of this.open) {
      view?.close();
      panel.tiles.close();
    }
    this.open = [];
  }

  private changed(before: State) {
    const { state } = this.store;
    if (state.page !== 'views') return;
    if (before.run !== state.run || before.other !== state.other) void this.build();
    else if (before.view !== state.view) this.switchView();
    else {
      if (before.frame === state.frame) this.controls?.sync();
      this.open.forEach(({ view }) => view?.update());
    }
  }

  private async build() {
    const round = ++this.round;
    try {
      const names = await this.source.runs();
      if (round !== this.round) return;
      if (!this.store.state.run && names.length) {
        const { id: run, model, input } = names[0];
        this.store.set({ run, model, input }); // which builds anew
        return;
      }
      const run = await this.runs.current();
      const { other } = this.store.state;
      const second = other ? await this.runs.get(other) : undefined;
      if (round !== this.round) return;
      if (run) this.show(names, [run, ...(second ? [second] : [])]);
      else this.element.replaceChildren(nothingYet(this.source.live));
    } catch (error) {
      if (round !== this.round) return;
      this.closeViews();
      this.element.replaceChildren(h('p', { class: 'error', role: 'alert' }, messageOf(error)));
    }
  }

  private show(names: RunName[], shown: Run[]) {
    this.closeViews();
    const panels = shown.map((run) => this.panelOf(run));
    this.controls = new Controls(panels[0], (factor) =>
      this.open.forEach(({ view }) => view?.zoom?.(factor)),
    );
    const area = h('div', { class: 'panels', 'data-count': panels.length });
    this.element.replaceChildren(
      h('h1', { class: 'hidden' }, 'Views of a run'),
      this.runChoice(names, shown),
      this.tabs(shown[0]),
      this.controls.element,
      area,
      h(
        'p',
        { class: 'keys' },
        'Keys: [ ] layer, comma and full stop head, arrows move, + \u2212 0 zoom, Enter pins.',
      ),
    );
    this.open = panels.map((panel) => ({ panel }));
    const view = fitting(shown[0], this.store.state.view);
    if (view && view !== this.store.state.view) this.store.set({ view });
    else this.switchView();
  }

  private panelOf(run: Run): Panel {
    const say = (text?: string) => {
      const line = this.element.querySelector(`[data-run="${CSS.escape(run.id)}"] .status`);
      if (line) line.textContent = text ?? this.restText();
    };
    const refresh = () => this.open.find(({ panel }) => panel.run === run)?.view?.refresh();
    const tiles = new TileStore(this.source, refresh, (error) => say(messageOf(error)));
    return { source: this.source, store: this.store, run, tiles, say };
  }

  private restText() {
    return explained[this.store.state.view] ?? '';
  }

  private switchView() {
    const area = this.element.querySelector('.panels')!;
    const shown: HTMLElement[] = [];
    this.open = this.open.map(({ panel, view }) => {
      view?.close();
      const name = fitting(panel.run, this.store.state.view);
      if (!name) {
        shown.push(h('p', {}, 'This run kept nothing to look at.'));
        return { panel };
      }
      const next = kinds[name].open(panel);
      shown.push(this.frameOf(panel, next));
      return { panel, view: next };
    });
    area.replaceChildren(...shown);
    this.syncTabs();
    this.controls?.sync();
    this.open.forEach(({ view }) => view?.update());
  }

  private frameOf(panel: Panel, view: View): HTMLElement {
    const { run } = panel;
    const menu = h('div', { class: 'menu', role: 'group', 'aria-label': 'Save this view' });
    for (const format of formats) {
      if (format === 'npz' && !run.layers.length) continue;
      const start = () =>
        exportAs(format, panel, view).catch((error) => panel.say(messageOf(error)));
      menu.append(
        h('button', { onclick: start, 'aria-label': `Save as ${format}` }, format.toUpperCase()),
      );
    }
    return h(
      'section',
      {
        class: 'panel',
        'data-run': run.id,
        'aria-label': `${run.model}: ${shorten(run.input, 60)}`,
      },
      h(
        'header',
        {},
        h(
          'p',
          { class: 'what' },
          h('b', {}, run.model),
          ' ',
          shorten(run.output || run.input, 160),
        ),
        menu,
      ),
      view.element,
      h('p', { class: 'status', role: 'status' }, this.restText()),
    );
  }

  private runChoice(names: RunName[], shown: Run[]): HTMLElement {
    const known = [...names];
    for (const run of shown) if (!known.some(({ id }) => id === run.id)) known.push(run);
    const options = known.map((run) => ({
      value: run.id,
      text: `${run.model}: ${shorten(run.input, 48)}`,
    }));
    const choose = (id: string) => {
      const { model, input } = known.find((run) => run.id === id)!;
      this.store.set({ run: id, model, input, pin: undefined, frame: undefined });
    };
    const compare = (id: string) => this.store.set({ other: id || undefined });
    const others = [
      { value: '', text: 'nothing' },
      ...options.filter((o) => o.value !== shown[0].id),
    ];
    return h(
      'div',
      { class: 'runs' },
      chooser('Run', options, shown[0].id, choose),
      chooser('Compare with', others, this.store.state.other ?? '', compare),
    );
  }

  private tabs(run: Run): HTMLElement {
    const list = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Views' });
    for (const [name, kind] of Object.entries(kinds) as [ViewName, Kind][]) {
      if (!kind.fits(run)) continue;
      const choose = () => this.store.set({ view: name, frame: undefined });
      list.append(h('button', { role: 'tab', 'data-view': name, onclick: choose }, kind.title));
    }
    list.addEventListener('keydown', (event) => {
      const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
      const all = [...list.children] as HTMLElement[];
      const to = all[all.indexOf(document.activeElement as HTMLElement) + by];
      if (!by || !to) return;
      to.focus();
      to.click();
    });
    return list;
  }

  private syncTabs() {
    const run = this.open[0].panel.run;
    const name = fitting(run, this.store.state.view);
    this.element.querySelectorAll<HTMLElement>('[role=tab]').forEach((tab) => {
      const mine = tab.dataset.view === name;
      tab.setAttribute('aria-selected', String(mine));
      tab.tabIndex = mine ? 0 : -1;
    });
  }

  private key(event: KeyboardEvent) {
    const typing =
      event.target instanceof Element && event.target.closest('input, select, textarea');
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.controls?.key(event.key)) event.preventDefault();
  }
}

/** The view of the state, or the first that the run has something for. */
function fitting(run: Run, name: ViewName): ViewName | undefined {
  if (kinds[name].fits(run)) return name;
  return (Object.keys(kinds) as ViewName[]).find((other) => kinds[other].fits(run));
}

function nothingYet(live: boolean): HTMLElement {
  if (!live) return h('p', { class: 'empty' }, 'This page holds no runs.');
  return h(
    'p',
    { class: 'empty' },
    'Nothing has been run yet. ',
    h('a', { href: '#/playground' }, 'Try a model in the playground.'),
  );
}
