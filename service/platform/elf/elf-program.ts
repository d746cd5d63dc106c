import { type Fragment, fragmentOf, type Step } from './machine-code.ts';
import type { Processor } from './system-calls.ts';

/** Load address of the program; a multiple of every page size. */
const base = 0x40_0000;
const headerBytes = 64;
const segmentHeaderBytes = 56;
const machine = { x64: 62, arm64: 183 } as const;

/** A program that only makes system calls; its last step exits. */
export interface StaticProgram {
  steps: readonly Step[];
  /** Executed if a step fails. */
  onError: readonly Step[];
  /** Data that the steps refer to; a function if it refers to other data itself. */
  data: Readonly<Record<string, Uint8Array | ((addressOf: AddressOf) => Uint8Array)>>;
}

export type AddressOf = (name: string) => number;

/**
 * Builds an executable for Linux that only makes system calls: one segment, no library, no loader.
 * It runs on every Linux with that processor.
 */
export function elfProgram(processor: Processor, { steps, onError, data }: StaticProgram): Buffer {
  const fragments = [...steps, ...onError].map((step) => fragmentOf(processor, step));
  const codeStart = headerBytes + segmentHeaderBytes;
  const errorStart = codeStart + lengthOf(fragments.slice(0, steps.length));
  const dataStart = align(codeStart + lengthOf(fragments));
  const { offsets, end } = layOutData(data, dataStart);
  const addressOf: AddressOf = (name) => {
    const offset = offsets.get(name);
    if (offset === undefined) throw new Error(`There is no data named ${name}.`);
    return base + offset;
  };
  const file = Buffer.alloc(end);
  writeHeaders(file, processor, base + codeStart);
  let at = codeStart;
  for (const fragment of fragments) {
    fragment.bytes(addressOf, errorStart - at).copy(file, at);
    at += fragment.length;
  }
  for (const [name, piece] of Object.entries(data))
    file.set(typeof piece === 'function' ? piece(addressOf) : piece, offsets.get(name));
  return file;
}

function layOutData(
  data: StaticProgram['data'],
  start: number,
): { offsets: Map<string, number>; end: number } {
  const offsets = new Map<string, number>();
  let end = start;
  for (const [name, piece] of Object.entries(data)) {
    offsets.set(name, end);
    const { length } = typeof piece === 'function' ? piece(() => 0) : piece;
    end = align(end + length);
  }
  return { offsets, end };
}

/** Writes the header of the file and of its only segment, which is readable and executable. */
function writeHeaders(file: Buffer, processor: Processor, entry: number): void {
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  const executable = 2;
  file.writeUInt16LE(executable, 16);
  file.writeUInt16LE(machine[processor], 18);
  file.writeUInt32LE(1, 20);
  file.writeBigUInt64LE(BigInt(entry), 24);
  file.writeBigUInt64LE(BigInt(headerBytes), 32);
  file.writeUInt16LE(headerBytes, 52);
  file.writeUInt16LE(segmentHeaderBytes, 54);
  file.writeUInt16LE(1, 56);
  const loaded = 1;
  const readAndRun = 5;
  file.writeUInt32LE(loaded, headerBytes);
  file.writeUInt32LE(readAndRun, headerBytes + 4);
  file.writeBigUInt64LE(BigInt(base), headerBytes + 16);
  file.writeBigUInt64LE(BigInt(base), headerBytes + 24);
  file.writeBigUInt64LE(BigInt(file.length), headerBytes + 32);
  file.writeBigUInt64LE(BigInt(file.length), headerBytes + 40);
  file.writeBigUInt64LE(0x1_0000n, headerBytes + 48);
}

const lengthOf = (fragments: readonly Fragment[]): number =>
  fragments.reduce((sum, { length }) => sum + length, 0);

const align = (offset: number): number => Math.ceil(offset / 16) * 16;
