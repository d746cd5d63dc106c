import { atoms, op, request, u32 } from './requests.ts';
import type { XConnection } from './x-connection.ts';

/** A property of an X window. */
export interface XProperty {
  /** Atom of the type; 0 if the property does not exist. */
  type: number;
  value: Buffer;
  /** True if the value is longer than requested. */
  isCut: boolean;
}

const defaultBytes = 256 * 1_024;

export async function readProperty(
  x: XConnection,
  window: number,
  property: number,
  { maxBytes = defaultBytes, remove = false } = {},
): Promise<XProperty> {
  const length = Math.ceil(maxBytes / 4);
  const asked = u32(window, property, 0, 0, length);
  const reply = await x.call(request(op.getProperty, remove ? 1 : 0, asked));
  const bytes = reply.readUInt32LE(16) * ((reply[1] ?? 0) / 8);
  return {
    type: reply.readUInt32LE(8),
    value: reply.subarray(32, 32 + bytes),
    isCut: reply.readUInt32LE(12) > 0,
  };
}

/** Reads a text property, as UTF-8 or Latin-1 depending on its type; empty if it does not exist. */
export async function readText(x: XConnection, window: number, name: string): Promise<string> {
  const { type, value } = await readProperty(x, window, await x.atom(name));
  return value.toString(type === atoms.string ? 'latin1' : 'utf8');
}

/** Reads 32-bit numbers: atoms, windows, sizes. Empty if the property does not exist. */
export async function readNumbers(x: XConnection, window: number, name: string): Promise<number[]> {
  const { value } = await readProperty(x, window, await x.atom(name));
  const numbers: number[] = [];
  for (let at = 0; at + 4 <= value.length; at += 4) numbers.push(value.readUInt32LE(at));
  return numbers;
}
