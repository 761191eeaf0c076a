/** Little-endian 16-bit numbers and base64, on any machine. */

/** 65535 stands for a weight of 1. */
export const one = 65535;

const little = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

export function numbersOf(bytes: ArrayBuffer): Uint16Array {
  if (little) return new Uint16Array(bytes);
  const view = new DataView(bytes);
  return Uint16Array.from({ length: bytes.byteLength / 2 }, (_, i) => view.getUint16(2 * i, true));
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let i = 0; i < bytes.length; i += 8192) {
    binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
  }
  return btoa(binary);
}
