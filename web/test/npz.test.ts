import { describe, expect, it } from 'vitest';
import { crc32, npy, npz } from '../src/npz';

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

describe('npy', () => {
  it('has a header that ends at a multiple of 64 bytes', () => {
    const bytes = npy({ name: 'a', shape: [2, 1, 3], data: Float32Array.from([1, 2, 3, 4, 5, 6]) });
    const header = bytes[8] + 256 * bytes[9];
    expect((10 + header) % 64).toBe(0);
    expect(text(bytes.subarray(0, 8))).toBe('\x93NUMPY\x01\x00');
    expect(text(bytes.subarray(10, 10 + header)).trim()).toBe(
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1, 3), }",
    );
    expect(bytes[9 + header]).toBe(10);
    const values = new DataView(bytes.buffer, 10 + header);
    expect([0, 1, 5].map((i) => values.getFloat32(4 * i, true))).toEqual([1, 2, 6]);
  });

  it('writes strings in UTF-32, filled up', () => {
    const bytes = npy({ name: 'a', shape: [2], data: ['\u00e4', 'x\u{1f600}'] });
    const header = bytes[8] + 256 * bytes[9];
    expect(text(bytes.subarray(10, 10 + header))).toContain(
      "'<U2', 'fortran_order': False, 'shape': (2,)",
    );
    const letters = new DataView(bytes.buffer, 10 + header);
    expect([0, 1, 2, 3].map((i) => letters.getUint32(4 * i, true))).toEqual([
      0xe4, 0, 0x78, 0x1f600,
    ]);
  });

  it('refuses a shape that does not fit', () => {
    expect(() => npy({ name: 'a', shape: [3], data: ['x'] })).toThrow('a: shape 3');
  });
});

describe('npz', () => {
  it('knows the checksum of "123456789"', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
  });

  it('is a zip file whose directory points at its members', async () => {
    const one = { name: 'one', shape: [1], data: Float32Array.from([1]) };
    const two = { name: 'two', shape: [1], data: ['b'] };
    const bytes = new Uint8Array(await npz([one, two]).arrayBuffer());
    const view = new DataView(bytes.buffer);
    const end = bytes.length - 22;
    expect(view.getUint32(end, true)).toBe(0x06054b50);
    expect(view.getUint16(end + 10, true)).toBe(2);
    const directory = view.getUint32(end + 16, true);
    expect(directory + view.getUint32(end + 12, true)).toBe(end);
    expect(view.getUint32(directory, true)).toBe(0x02014b50);
    const second = directory + 46 + 'one.npy'.length;
    const local = view.getUint32(second + 42, true);
    expect(view.getUint32(local, true)).toBe(0x04034b50);
    expect(text(bytes.subarray(local + 30, local + 37))).toBe('two.npy');
    const size = view.getUint32(local + 18, true);
    expect(crc32(bytes.subarray(local + 37, local + 37 + size))).toBe(
      view.getUint32(local + 14, true),
    );
  });
});
