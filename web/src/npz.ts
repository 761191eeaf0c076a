/**
 * NumPy's archives: a zip file without compression whose members are .npy files (format 1.0).
 * https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 */

export interface NamedArray {
  name: string;
  shape: number[];
  data: Float32Array | string[];
}

export function npy(array: NamedArray): Uint8Array<ArrayBuffer> {
  const count = array.shape.reduce((product, size) => product * size, 1);
  if (count !== array.data.length) {
    throw new Error(`${array.name}: shape ${array.shape} does not fit ${array.data.length} values`);
  }
  const [kind, body] =
    array.data instanceof Float32Array ? ['<f4', floats(array.data)] : strings(array.data);
  const shape = array.shape.length === 1 ? `${array.shape[0]},` : array.shape.join(', ');
  let header = `{'descr': '${kind}', 'fortran_order': False, 'shape': (${shape}), }`;
  header = header.padEnd(Math.ceil((header.length + 11) / 64) * 64 - 11) + '\n';
  const out = new Uint8Array(10 + header.length + body.length);
  out.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length & 255, header.length >> 8]);
  out.set(new TextEncoder().encode(header), 10);
  out.set(body, 10 + header.length);
  return out;
}

function floats(values: Float32Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  values.forEach((value, i) => view.setFloat32(4 * i, value, true));
  return new Uint8Array(view.buffer);
}

/** Strings of one length in UTF-32, filled up with zeros. */
function strings(values: string[]): [string, Uint8Array] {
  const points = values.map((value) => Array.from(value, (letter) => letter.codePointAt(0)!));
  const length = Math.max(1, ...points.map((p) => p.length));
  const view = new DataView(new ArrayBuffer(4 * length * values.length));
  points.forEach((letters, i) =>
    letters.forEach((point, j) => view.setUint32(4 * (i * length + j), point, true)),
  );
  return [`<U${length}`, new Uint8Array(view.buffer)];
}

export function npz(arrays: NamedArray[]): Blob {
  return zip(arrays.map((array) => ({ name: `${array.name}.npy`, bytes: npy(array) })));
}

const crcTable = Uint32Array.from({ length: 256 }, (_, i) => {
  let value = i;
  for (let bit = 0; bit < 8; ++bit) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

export function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (let i = 0; i < bytes.length; ++i) crc = crcTable[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

interface Member {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

const utf8Names = 1 << 11;
const firstOfJanuary1980 = (1 << 5) | 1;

function zip(members: Member[]): Blob {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let at = 0;
  for (const { name, bytes } of members) {
    const encoded = new TextEncoder().encode(name);
    const shared = (view: DataView, offset: number) => {
      view.setUint16(offset, 20, true); // version needed
      view.setUint16(offset + 2, utf8Names, true);
      view.setUint16(offset + 8, firstOfJanuary1980, true);
      view.setUint32(offset + 10, crc32(bytes), true);
      view.setUint32(offset + 14, bytes.length, true);
      view.setUint32(offset + 18, bytes.length, true);
      view.setUint16(offset + 22, encoded.length, true);
    };
    const local = record(30, 0x04034b50, (view) => shared(view, 4));
    const entry = record(46, 0x02014b50, (view) => {
      view.setUint16(4, 20, true); // version made by
      shared(view, 6);
      view.setUint32(42, at, true);
    });
    parts.push(local, encoded, bytes);
    directory.push(entry, encoded);
    at += local.length + encoded.length + bytes.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = record(22, 0x06054b50, (view) => {
    view.setUint16(8, members.length, true);
    view.setUint16(10, members.length, true);
    view.setUint32(12, size, true);
    view.setUint32(16, at, true);
  });
  return new Blob([...parts, ...directory, end], { type: 'application/zip' });
}

function record(size: number, mark: number, fill: (view: DataView) => void) {
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, mark, true);
  fill(view);
  return bytes;
}
