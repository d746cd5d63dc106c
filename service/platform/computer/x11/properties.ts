import { atoms, op, request, u32 } from './requests.ts';
import type { XConnection } from './x-connection.ts';

export interface XProperty {
  /** An atom; 0 where there is no such property. */
  type: number;
  value: Buffer;
  /** There is more than was asked for. */
  isCut: boolean;
}

const usualBytes = 256 * 1_024;

export async function readProperty(
  x: XConnection,
  window: number,
  property: number,
  { maxBytes = usualBytes, remove = false } = {},
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

/** In UTF-8, or in Latin-1 where it says so; empty where there is none. */
export async function readText(x: XConnection, window: number, name: string): Promise<string> {
  const { type, value } = await readProperty(x, window, await x.atom(name));
  return value.toString(type === atoms.string ? 'latin1' : 'utf8');
}

/** Numbers of 32 bits: atoms, windows, sizes. */
export async function readNumbers(x: XConnection, window: number, name: string): Promise<number[]> {
  const { value } = await readProperty(x, window, await x.atom(name));
  const numbers: number[] = [];
  for (let at = 0; at + 4 <= value.length; at += 4) numbers.push(value.readUInt32LE(at));
  return numbers;
}
