/** Server-sent events out of pieces of text, however these are cut. */
export interface ServerEvent {
  event: string;
  data: string;
}

export class EventParser {
  private rest = '';
  private event = '';
  private data: string[] = [];

  push(piece: string): ServerEvent[] {
    const lines = (this.rest + piece).split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop()!;
    const events: ServerEvent[] = [];
    for (const line of lines) {
      if (line === '') {
        if (this.data.length) {
          events.push({ event: this.event || 'message', data: this.data.join('\n') });
        }
        this.event = '';
        this.data = [];
      } else if (!line.startsWith(':')) {
        this.field(line);
      }
    }
    return events;
  }

  private field(line: string) {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') this.event = value;
    if (name === 'data') this.data.push(value);
  }
}

/** The events of an answer, as they come. */
export async function* eventsOf(answer: Response): AsyncGenerator<ServerEvent> {
  const parser = new EventParser();
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield* parser.push(value);
  }
}
