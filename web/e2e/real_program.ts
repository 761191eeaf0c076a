/** The program itself, with tiny models that it trains in a second or two. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const environment = { ...process.env, OMP_NUM_THREADS: '1' };

/** Words that are translated one by one. */
const words = [
  ['one', 'eins'],
  ['two', 'zwei'],
  ['three', 'drei'],
  ['four', 'vier'],
  ['five', 'fünf'],
];

const translate = `
task = "translate"
[data]
train = ["source", "target"]
dev = ["source", "target"]
[text]
joint = false
source = { kind = "words" }
target = { kind = "words" }
[batch]
rows = 256
[model]
encoder_layers = 2
decoder_layers = 2
width = 32
heads = 2
hidden = 64
norm = "pre"
dropout = 0.0
[train]
epochs = 24
clip = 1.0
schedule = { kind = "linear", rate = 5e-3, warmup = 20 }
[decode]
beam = 2
`;

/** Texts of 2,000 words, of which the first says the label. */
const classify = `
task = "classify"
[data]
train = ["labels", "texts"]
dev = ["labels", "texts"]
longest = 2048
[text]
words = { kind = "words" }
[model]
family = "encoder"
[model.encoder]
layers = 6
width = 32
heads = 4
hidden = 32
longest = 2048
[train]
steps = 2
validate_every = 100
[batch]
rows = 4096
`;

export class Program {
  readonly folder = mkdtempSync(join(tmpdir(), 'fovea-e2e-'));
  readonly path = process.env.FOVEA!;
  private readonly running: ChildProcess[] = [];

  run(...args: string[]): string {
    const options = { cwd: this.folder, env: environment, encoding: 'utf8' as const };
    return execFileSync(this.path, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  /** Starts a command that serves pages, and gives its address when it says so. */
  serve(...args: string[]): Promise<string> {
    const child = spawn(this.path, args, { cwd: this.folder, env: environment });
    this.running.push(child);
    return new Promise((found, failed) => {
      let said = '';
      const hear = (data: Buffer) => {
        said += data.toString();
        const address = said.match(/http:\/\/[\d.]+:\d+/);
        if (address) found(address[0]);
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.on('exit', (code) => failed(new Error(`fovea ${args[0]} ended (${code}): ${said}`)));
    });
  }

  write(name: string, text: string) {
    writeFileSync(join(this.folder, name), text);
  }

  /** Files for a translator; `fovea train translate.toml` learns it. */
  writeTranslation() {
    let seed = 1;
    const draw = (below: number) => {
      seed = Number((BigInt(seed) * 1103515245n + 12345n) % 2n ** 31n);
      return (seed >> 16) % below;
    };
    const lines = Array.from({ length: 400 }, () =>
      Array.from({ length: 1 + draw(5) }, () => words[draw(5)]),
    );
    const side = (which: number) =>
      lines.map((line) => line.map((pair) => pair[which]).join(' ') + '\n').join('');
    this.write('source', side(0));
    this.write('target', side(1));
    this.write('translate.toml', translate);
  }

  trainTranslator(): string {
    this.writeTranslation();
    this.run('train', 'translate.toml', '--out', 'translator', '--quiet');
    return 'translator';
  }

  longText(): string {
    return Array.from({ length: 2000 }, (_, i) => `w${(i * i) % 97}`).join(' ');
  }

  /** Hardly trained: what it looks at does not matter, how much it is does. */
  trainLong(): string {
    const text = this.longText();
    this.write('labels', 'yes\nno\n');
    this.write('texts', `${text}\n${text.split(' ').reverse().join(' ')}\n`);
    this.write('classify.toml', classify);
    this.run('train', 'classify.toml', '--out', 'long', '--quiet');
    return 'long';
  }

  /** A training that is told to stop saves first. */
  async stop() {
    const ended = this.running
      .filter((child) => child.exitCode === null && child.signalCode === null)
      .map((child) => new Promise((over) => child.once('exit', over)));
    for (const child of this.running) child.kill('SIGTERM');
    await Promise.all(ended);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
