/** Views that are text with something on its words: documents, what was received, halting. */
import { heat, inkOn } from '../colour';
import { flow, readable } from '../layout';
import { widthOf, type Drawing, type Pen } from '../pen';
import { theme } from '../theme';
import { fullBar, shadesOf } from '../shades';
import { tokensOf } from '../types';
import { chosen, StillView, type Panel } from './view';

const shownSize = 15;
const wordOf = (token: string) => token.trim() || '\u2423';
const padded = (words: string[]) => words.map((word) => widthOf(word, shownSize) + 8);

export class DocumentView extends StillView {
  constructor(panel: Panel) {
    super(panel, 'The text, its words shaded by how much they counted');
  }

  protected async compose(width: number): Promise<Drawing> {
    const parts: ((pen: Pen) => void)[] = [];
    let y = 8;
    for (const document of this.panel.run.documents ?? []) {
      const title = y + 14;
      parts.push((pen) =>
        pen.text(0, title, document.title, { colour: theme().ink, bold: true, size: 14 }),
      );
      y += 30;
      const shades = shadesOf(document);
      const largest = Math.max(...document.sentences.map((s) => s.weight), 1e-9);
      document.sentences.forEach((sentence, i) => {
        const top = y;
        const bars = document.sentences.length > 1;
        const left = bars ? 52 : 0;
        const widths = padded(sentence.words.map(wordOf));
        const places = flow(widths, width - left, 2);
        y += ((places.at(-1)?.line ?? 0) + 1) * 27 + 8;
        parts.push((pen) => {
          if (bars) {
            const hint = `sentence ${i + 1}: ${readable(sentence.weight)}`;
            pen.rect(0, top + 6, (40 * sentence.weight) / largest, 9, heat(theme(), 0.6), hint);
          }
          sentence.words.forEach((word, j) => {
            const [x, at] = [left + places[j].x, top + places[j].line * 27];
            const hint = `${word}: ${readable(sentence.weights[j])}`;
            pen.rect(x, at, widths[j], 22, heat(theme(), shades[i][j]), hint);
            const colour = inkOn(theme(), shades[i][j]);
            pen.text(x + 4, at + 16, wordOf(word), { colour, size: shownSize });
          });
        });
      });
      y += 18;
    }
    return { width, height: y, paint: (pen) => parts.forEach((part) => part(pen)) };
  }
}

/** Tokens in lines from `top` on, each under a bar of its value. */
function barsOver(tokens: string[], values: number[], width: number, top = 0): Drawing {
  const full = fullBar(values);
  const words = tokens.map(wordOf);
  const widths = padded(words).map((wide) => Math.max(wide, 18));
  const places = flow(widths, width, 3);
  const lines = (places.at(-1)?.line ?? 0) + 1;
  const [bar, line] = [38, 76];
  const paint = (pen: Pen) => {
    words.forEach((word, i) => {
      const x = places[i].x;
      const base = top + places[i].line * line + bar + 4;
      const part = Math.min(values[i] / full, 1);
      const hint = `${word}: ${readable(values[i])}`;
      pen.rect(
        x,
        base - bar * part,
        widths[i],
        bar * part,
        heat(theme(), values[i] > full ? 1 : 0.3 + 0.4 * part),
        hint,
      );
      pen.line(
        [
          [x, base],
          [x + widths[i], base],
        ],
        { colour: theme().rule },
      );
      const style = { colour: theme().ink, size: shownSize, align: 'middle' as const };
      pen.text(x + widths[i] / 2, base + 18, word, style);
    });
  };
  return { width, height: top + lines * line, paint };
}

export class ReceivedView extends StillView {
  constructor(panel: Panel) {
    super(panel, 'How much attention each token received from all queries');
  }

  protected async compose(width: number): Promise<Drawing> {
    const { layer, head } = chosen(this.panel);
    const values = await this.panel.source.received(this.panel.run, layer.name, head);
    const tokens = tokensOf(this.panel.run, layer.keys);
    return barsOver(tokens, values, width);
  }
}

export class HaltingView extends StillView {
  constructor(panel: Panel) {
    super(panel, 'How many steps each token took');
  }

  protected async compose(width: number): Promise<Drawing> {
    let height = 0;
    const parts = (this.panel.run.halting ?? []).map(({ sequence, steps }) => {
      const mean = steps.reduce((sum, step) => sum + step, 0) / Math.max(steps.length, 1);
      const most = readable(Math.max(...steps, 0));
      const title = `${sequence}: ${readable(mean)} steps on average, at most ${most}`;
      const top = height + 30;
      const bars = barsOver(tokensOf(this.panel.run, sequence), steps, width, top);
      height = bars.height;
      return { title, top, bars };
    });
    const paint = (pen: Pen) =>
      parts.forEach(({ title, top, bars }) => {
        pen.text(0, top - 14, title, { colour: theme().quiet });
        bars.paint(pen);
      });
    return { width, height, paint };
  }
}
