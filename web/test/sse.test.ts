import { describe, expect, it } from 'vitest';
import { EventParser } from '../src/sse';

const stream =
  ': hello\n\nevent: token\ndata: {"a": "x: y"}\n\ndata: 1\r\ndata: 2\r\n\r\nevent: done\ndata:3\n\n';
const events = [
  { event: 'token', data: '{"a": "x: y"}' },
  { event: 'message', data: '1\n2' },
  { event: 'done', data: '3' },
];

describe('server-sent events', () => {
  it.each([1, 2, 3, 7, 1000])('are the same in pieces of %i letters', (size) => {
    const parser = new EventParser();
    const heard = [];
    for (let i = 0; i < stream.length; i += size)
      heard.push(...parser.push(stream.slice(i, i + size)));
    expect(heard).toEqual(events);
  });

  it('wait for the end of an event', () => {
    expect(new EventParser().push('data: 1\n')).toEqual([]);
  });
});
