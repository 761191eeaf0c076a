/** The frame around the pages. */
import { h } from './dom';
import { pages, type Page } from './hash';
import { PlaygroundPage } from './pages/playground_page';
import { TrainingPage } from './pages/training_page';
import { ViewsPage } from './pages/views_page';
import { Runs } from './runs';
import type { Source } from './source';
import { Store } from './store';
import { toggleTheme } from './theme';

interface OpenPage {
  element: HTMLElement;
  close(): void;
}

const titles: Record<Page, string> = {
  playground: 'Playground',
  views: 'Views',
  training: 'Training',
};

export class App {
  private readonly store = new Store();
  private readonly runs: Runs;
  private readonly nav = h('nav', { 'aria-label': 'Pages' });
  private page: OpenPage | undefined;

  constructor(
    private readonly root: HTMLElement,
    private readonly source: Source,
    private readonly name: string,
  ) {
    this.runs = new Runs(source, this.store);
    const copied = h('span', { class: 'keys', role: 'status' });
    const copy = async () => {
      // Browsers give no clipboard to pages from other machines without TLS; the address bar has it.
      await navigator.clipboard?.writeText(this.store.link());
      copied.textContent = navigator.clipboard ? 'Copied' : 'See the address bar';
      setTimeout(() => (copied.textContent = ''), 2000);
    };
    root.append(
      h(
        'a',
        { class: 'skip', href: '#main', onclick: (event: Event) => this.skip(event) },
        'Skip to content',
      ),
      h(
        'header',
        { class: 'top' },
        h('span', { class: 'brand' }, 'Fovea'),
        this.nav,
        copied,
        h('button', { class: 'quiet', onclick: copy, title: 'Copy a link to this view' }, 'Link'),
        h(
          'button',
          { class: 'quiet', onclick: toggleTheme, 'aria-label': 'Light or dark' },
          '\u25d0',
        ),
      ),
    );
    this.store.listen((before) => {
      if (before.page !== this.store.state.page) this.open();
    });
    this.open();
  }

  /** The address behind # is the state: skipping must not change it. */
  private skip(event: Event) {
    event.preventDefault();
    const main = this.root.querySelector('main');
    if (!main) return;
    main.tabIndex = -1;
    main.focus();
  }

  private offered(): Page[] {
    const { live, trains } = this.source;
    return pages.filter((page) =>
      page === 'playground' ? live : page === 'training' ? trains !== false : true,
    );
  }

  private open() {
    const offered = this.offered();
    const { page } = this.store.state;
    if (!offered.includes(page)) {
      this.store.set({ page: offered[0] });
      return;
    }
    this.page?.close();
    this.page?.element.remove();
    this.page = this.create(page);
    this.root.append(this.page.element);
    document.title = `${titles[page]} \u00b7 ${this.name}`;
    this.nav.replaceChildren(
      ...offered.map((name) =>
        h(
          'button',
          {
            'aria-current': name === page && 'page',
            onclick: () => this.store.set({ page: name }),
          },
          titles[name],
        ),
      ),
    );
  }

  private create(page: Page): OpenPage {
    switch (page) {
      case 'playground':
        return new PlaygroundPage(this.source, this.store, this.runs);
      case 'views':
        return new ViewsPage(this.source, this.store, this.runs);
      case 'training':
        return new TrainingPage(this.source);
    }
  }
}
