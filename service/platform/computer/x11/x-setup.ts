import { unavailable } from '../unavailable.ts';
import type { XSecret } from './display-address.ts';
import { padded, u16, u8 } from './requests.ts';
import { msg } from '../../../messages/index.ts';

/** Facts that the X server sends when a connection opens. */
export interface XSetup {
  idBase: number;
  idMask: number;
  minKeycode: number;
  maxKeycode: number;
  root: number;
  /** Size in pixels. */
  width: number;
  height: number;
  depth: number;
  visual: number;
  /** True if a pixel has four bytes: blue, green, red, unused. */
  isTrueColor: boolean;
}

const littleEndian = 0x6c;

export function setupRequest(secret: XSecret | null): Buffer {
  const name = Buffer.from(secret?.name ?? '');
  const data = secret?.data ?? Buffer.alloc(0);
  return Buffer.concat([
    u8(littleEndian, 0),
    u16(11, 0, name.length, data.length, 0),
    padded(name),
    padded(data),
  ]);
}

export const setupHeaderBytes = 8;
export const setupRestBytes = (head: Buffer): number => head.readUInt16LE(6) * 4;

const blueGreenRed = [0xff_00_00, 0xff_00, 0xff];

/** @throws HostError `computer_use_unavailable` with the message of the server */
export function readSetup(answer: Buffer, screen: number, display: string): XSetup {
  if (answer[0] !== 1) {
    const reason = answer.toString('latin1', 8, 8 + (answer[1] ?? 0)).trim();
    throw unavailable(
      reason === ''
        ? msg('computer.displayRefusesHost', { display })
        : msg('computer.displayRefusesHostBecause', { display, reason }),
    );
  }
  const vendor = answer.readUInt16LE(24);
  const formats = answer[29] ?? 0;
  const firstFormat = 40 + vendor + ((4 - (vendor % 4)) % 4);
  const at = screenAt(answer, firstFormat + formats * 8, Math.min(screen, (answer[28] ?? 1) - 1));
  const depth = answer[at + 38] ?? 0;
  const visual = answer.readUInt32LE(at + 32);
  const bits = bitsOf(answer.subarray(firstFormat, firstFormat + formats * 8), depth);
  const masks = masksOf(answer, at, visual);
  return {
    idBase: answer.readUInt32LE(12),
    idMask: answer.readUInt32LE(16),
    minKeycode: answer[34] ?? 8,
    maxKeycode: answer[35] ?? 255,
    root: answer.readUInt32LE(at),
    depth,
    visual,
    width: answer.readUInt16LE(at + 20),
    height: answer.readUInt16LE(at + 22),
    isTrueColor:
      answer[30] === 0 && bits === 32 && masks.every((mask, at_) => mask === blueGreenRed[at_]),
  };
}

/** Offset of that screen in the setup; each screen has a variable length. */
function screenAt(answer: Buffer, first: number, screen: number): number {
  let at = first;
  for (let index = 0; index < screen; index += 1) at = [...depthsAt(answer, at)].at(-1)?.end ?? at;
  return at;
}

function* depthsAt(answer: Buffer, screenStart: number) {
  let at = screenStart + 40;
  for (let index = 0; index < (answer[screenStart + 39] ?? 0); index += 1) {
    const visuals = answer.readUInt16LE(at + 2);
    const end = at + 8 + visuals * 24;
    yield { first: at + 8, visuals, end };
    at = end;
  }
}

function masksOf(answer: Buffer, screenStart: number, visual: number): number[] {
  for (const { first, end } of depthsAt(answer, screenStart))
    for (let at = first; at < end; at += 24)
      if (answer.readUInt32LE(at) === visual)
        return [8, 12, 16].map((offset) => answer.readUInt32LE(at + offset));
  return [0];
}

function bitsOf(formats: Buffer, depth: number): number {
  for (let at = 0; at < formats.length; at += 8)
    if (formats[at] === depth) return formats[at + 1] ?? 0;
  return 0;
}
