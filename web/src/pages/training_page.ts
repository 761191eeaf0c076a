/** A training as it goes: curves, speed, samples, and attention as it forms. */
import { fromBase64, numbersOf, one } from '../bytes';
import { heat, lineColour } from '../colour';
import { h } from '../dom';
import { readable, shorten } from '../layout';
import { toSvg, widthOf, type Drawing, type Pen } from '../pen';
import type { Source } from '../source';
import { onTheme, theme } from '../theme';
import { TrainingLog, type Curves } from '../training_log';
import { paintChart, type Series } from '../views/chart';

const chartHeight = 210;
const betweenPaints = 400;

export class TrainingPage {
  readonly element = h('main', { id: 'main' });
  private log = new TrainingLog();
  private readonly facts = h(
    'p',
    { class: 'facts', role: 'status' },
    'Waiting for the training\u2026',
  );
  private readonly charts = h('div', { class: 'charts' });
  private readonly attention = h('div', { class: 'attention' });
  private readonly samples = h('div', { class: 'samples' });
  private readonly slider = h('input', {
    type: 'range',
    min: 0,
    'aria-label': 'Step of the picture',
    oninput: () => {
      this.follow = Number(this.slider.value) === Number(this.slider.max);
      this.paintAttention();
    },
  });
  /** The newest picture is shown, until the reader goes back. */
  private follow = true;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly stop: () => void;
  private readonly offTheme = onTheme(() => this.paint());
  private readonly sizes = new ResizeObserver(() => this.later());

  constructor(source: Source) {
    this.element.append(
      h('h1', {}, 'Training'),
      this.facts,
      this.charts,
      h('div', { class: 'forming' }, this.attention, this.samples),
    );
    this.sizes.observe(this.element);
    this.stop = source.training({
      restart: () => (this.log = new TrainingLog()),
      line: (line) => {
        this.log.add(line);
        this.later();
      },
      failed: (why) => (this.facts.textContent = why),
    });
  }

  close() {
    clearTimeout(this.timer);
    this.sizes.disconnect();
    this.offTheme();
    this.stop();
  }

  private later() {
    this.timer ??= setTimeout(
      () => {
        this.timer = undefined;
        this.paint();
      },
      this.log.charts.size && this.charts.childElementCount ? betweenPaints : 50,
    );
  }

  private paint() {
    this.paintFacts();
    this.paintCharts();
    this.paintAttention();
    this.paintSamples();
  }

  private paintFacts() {
    const { latest, best, ended } = this.log;
    if (!latest) return;
    const minutes = latest.seconds / 60;
    const parts = [
      `Step ${latest.step.toLocaleString('en')}`,
      `epoch ${latest.epoch + 1}`,
      minutes < 2 ? `${Math.round(latest.seconds)} s` : `${Math.round(minutes)} min`,
      `${Math.round(latest.per_second).toLocaleString('en')} a second`,
      best && `best at step ${best.step.toLocaleString('en')}`,
      ended && `ended: ${ended}`,
    ];
    this.facts.textContent = parts.filter(Boolean).join(' \u00b7 ');
  }

  private paintCharts() {
    const room = this.element.clientWidth;
    const across = Math.max(1, Math.min(3, Math.floor(room / 330)));
    const width = Math.floor((room - (across - 1) * 32) / across);
    if (width < 50) return;
    const html = [...this.log.charts].map(([title, curves]) => {
      const box = { x: 0, y: 0, width, height: chartHeight };
      const paint = (pen: Pen) => paintChart(pen, box, seriesOf(curves), { title });
      return toSvg({ width, height: chartHeight, paint }, title);
    });
    this.charts.innerHTML = html.join('');
  }

  private paintAttention() {
    const { pictures } = this.log;
    if (!pictures.length) return;
    this.slider.max = String(pictures.length - 1);
    if (this.follow) this.slider.value = this.slider.max;
    const picture = pictures[Number(this.slider.value)];
    const numbers = numbersOf(fromBase64(picture.weights).buffer);
    const title = `${picture.title} at step ${picture.step.toLocaleString('en')}`;
    const drawing = pictureOf(picture.queries, picture.keys, numbers);
    if (!this.attention.contains(this.slider)) {
      this.attention.replaceChildren(h('h2', {}), this.slider, h('div', { class: 'still-view' }));
    }
    this.attention.querySelector('h2')!.textContent = title;
    this.attention.querySelector('.still-view')!.innerHTML = toSvg(drawing, title);
  }

  private paintSamples() {
    const { samples } = this.log;
    if (!samples) return;
    this.samples.replaceChildren(
      h('h2', {}, `Samples at step ${samples.step.toLocaleString('en')}`),
      ...samples.samples.map(({ input, output, reference }) =>
        h(
          'dl',
          {},
          ...[
            h('dt', {}, 'Input'),
            h('dd', {}, input),
            h('dt', {}, 'Answer'),
            h('dd', { class: 'strong' }, output),
          ],
          ...(reference ? [h('dt', {}, 'Reference'), h('dd', {}, reference)] : []),
        ),
      ),
    );
  }
}

function seriesOf(curves: Curves): Series[] {
  return [...curves].map(([name, points], i) => ({ name, points, ...lineColour(theme(), i) }));
}

function pictureOf(queries: string[], keys: string[], numbers: Uint16Array): Drawing {
  const size = 12;
  const cell = 22;
  const left = Math.max(...queries.map((t) => widthOf(shorten(t, 14), size)), 10) + 10;
  const top = Math.max(...keys.map((t) => widthOf(shorten(t, 12), size)), 10) * 0.72 + 14;
  const style = { colour: theme().quiet, size };
  const paint = (pen: Pen) => {
    keys.forEach((key, k) =>
      pen.text(left + (k + 0.5) * cell + 3, top - 6, shorten(key, 12), { ...style, turn: -45 }),
    );
    queries.forEach((query, q) => {
      pen.text(left - 7, top + (q + 0.5) * cell + 4, shorten(query, 14), {
        ...style,
        align: 'end',
      });
      keys.forEach((key, k) => {
        const weight = numbers[q * keys.length + k] / one;
        const hint = `${query} \u2192 ${key}: ${readable(Math.round(weight * 1000) / 1000)}`;
        const [x, y] = [left + k * cell, top + q * cell];
        pen.rect(x, y, cell - 1, cell - 1, heat(theme(), weight), hint);
      });
    });
  };
  return { width: left + keys.length * cell + top, height: top + queries.length * cell + 2, paint };
}
