import { setTimeout as delay } from 'node:timers/promises';
import { HostError } from '../../../core/host-error.ts';
import { keyParts } from '../../browser/key-names.ts';
import { typableCharacters } from '../typable.ts';
import { keysymOf, unicodeBase } from './keysyms.ts';
import { op, request, u32, u8 } from './requests.ts';
import type { XConnection } from './x-connection.ts';
import type { XInput } from './x-input.ts';
import { msg } from '../../../messages/index.ts';

/** Keycode and Shift state that produce a character. */
interface Stroke {
  keycode: number;
  shift: boolean;
}

/** The current keyboard mapping. */
interface KeyMap {
  /** Keysyms of each keycode, from the lowest one. */
  columns: number[][];
  group: number;
  capsLock: boolean;
}

const lockMask = 2;
/**
 * Time that an assigned key keeps its meaning, in ms, since programs look up a key when they
 * process its event.
 */
const settleMs = 1_000;
/** Most different characters that the layout lacks; more would take too long. */
const maxLacking = 300;
/** Keys that are sent before waiting for the display. */
const keysAtOnce = 20;

/** Types characters. Those that the layout lacks are temporarily assigned to unused keys. */
export class XKeyboard {
  private readonly x: XConnection;
  private readonly input: XInput;
  /** Keysyms that were assigned to unused keycodes. */
  private readonly assigned = new Map<number, number>();
  private typedMs = 0;

  constructor(x: XConnection, input: XInput) {
    this.x = x;
    this.input = input;
  }

  /** @throws HostError `invalid_text` for control characters, `use_clipboard` */
  async type(text: string, signal: AbortSignal): Promise<void> {
    const characters = typableCharacters(text);
    const shift = await this.keycodeOfKey('Shift');
    let map = await this.readMap();
    const isLacking = (one: string): boolean => !this.strokeOf(map, keysymOf(one), one);
    if (characters.filter(isLacking).length > maxLacking) throw useClipboard();
    for (const [index, character] of characters.entries()) {
      if (index % keysAtOnce === 0) await this.x.sync();
      signal.throwIfAborted();
      let stroke = this.strokeOf(map, keysymOf(character), character);
      if (!stroke) {
        map = await this.assignKeys(map, characters.slice(index), signal);
        stroke = this.strokeOf(map, keysymOf(character), character);
      }
      if (!stroke) throw useClipboard();
      this.press(stroke, shift);
    }
    await this.x.sync();
    this.typedMs = performance.now();
  }

  /** @throws HostError `invalid_key` */
  async chord(text: string): Promise<void> {
    const parts = keyParts(text);
    const key = parts.at(-1) ?? '';
    const modifierKeys = parts.slice(0, -1);
    // In ctrl+A, the letter names the key and does not imply Shift.
    const meant =
      modifierKeys.some((name) => name !== 'Shift') && key.length === 1 ? key.toLowerCase() : key;
    let map = await this.readMap();
    let stroke = this.strokeOf(map, keysymOf(meant), '');
    if (!stroke) {
      map = await this.assignKeys(map, [meant], new AbortController().signal);
      stroke = this.strokeOf(map, keysymOf(meant), '');
    }
    if (!stroke) throw useClipboard();
    const modifiers = [...new Set([...modifierKeys, ...(stroke.shift ? ['Shift'] : [])])];
    for (const name of modifiers) this.input.keyDown(await this.keycodeOfKey(name));
    this.input.keyDown(stroke.keycode);
    await this.x.sync();
    this.input.keyUp(stroke.keycode);
    this.input.releaseAll();
    await this.x.sync();
    this.typedMs = performance.now();
  }

  /** Keycode of a key, by its name on the web platform, in the layout of the user. */
  keycodeOfKey(name: string): Promise<number> {
    return this.keycodeOf(keysymOf(name));
  }

  private async keycodeOf(keysym: number): Promise<number> {
    const { columns } = await this.readMap();
    const at = columns.findIndex((column) => column.slice(0, 4).includes(keysym));
    if (at !== -1) return at + this.x.setup.minKeycode;
    throw new HostError('conflict', 'no_such_key', msg('computer.noSuchDisplayKey'));
  }

  /** Removes the assignments once programs have processed the keys. */
  async resetKeys(): Promise<void> {
    if (this.assigned.size === 0) return;
    await delay(Math.max(0, this.typedMs + settleMs - performance.now()));
    this.setMeanings(new Map([...this.assigned.keys()].map((keycode) => [keycode, 0])));
    this.assigned.clear();
    await this.x.sync();
  }

  private press({ keycode, shift }: Stroke, shiftKey: number): void {
    if (shift) this.input.keyDown(shiftKey);
    this.input.keyDown(keycode);
    this.input.keyUp(keycode);
    if (shift) this.input.keyUp(shiftKey);
  }

  private strokeOf(map: KeyMap, keysym: number, character: string): Stroke | null {
    const isLetter = character.toLowerCase() !== character.toUpperCase();
    const isShifted = map.capsLock && isLetter;
    for (const [at, column] of map.columns.entries()) {
      const [plain, shifted] = levelsOf(column, map.group);
      const keycode = at + this.x.setup.minKeycode;
      // An assigned key has the same meaning with and without Shift.
      if (plain === keysym) return { keycode, shift: isShifted && plain !== shifted };
      if (shifted === keysym) return { keycode, shift: !isShifted };
    }
    return null;
  }

  /** Assigns the characters to unused keys, as many as there are. */
  private async assignKeys(
    map: KeyMap,
    characters: string[],
    signal: AbortSignal,
  ): Promise<KeyMap> {
    const needed = new Set<number>();
    let spare = spareKeys(map, this.x.setup.minKeycode).filter((one) => !this.assigned.has(one));
    const lacking = (): number[] => {
      for (const one of characters) {
        const keysym = keysymOf(one);
        if (needed.size < spare.length && !this.strokeOf(map, keysym, one)) needed.add(keysym);
      }
      return [...needed];
    };
    if (spare.length === 0) {
      await this.x.sync();
      await delay(settleMs, undefined, { signal });
      spare = [...this.assigned.keys()];
      for (const keycode of spare) map.columns[keycode - this.x.setup.minKeycode] = [];
      this.assigned.clear();
    }
    const assigned = new Map(lacking().map((keysym, index) => [spare[index] ?? 0, keysym]));
    for (const [keycode, keysym] of assigned) this.assigned.set(keycode, keysym);
    this.setMeanings(assigned);
    await this.x.sync();
    return this.readMap();
  }

  /** Each change makes every program reload the mapping, so adjacent keys are changed together. */
  private setMeanings(meanings: ReadonlyMap<number, number>): void {
    let run: number[] = [];
    for (const [keycode, keysym] of [...meanings].toSorted(([one], [other]) => one - other)) {
      run.push(keysym, keysym, keysym, keysym);
      if (meanings.has(keycode + 1)) continue;
      const count = run.length / 4;
      const about = u8(keycode - count + 1, 4, 0, 0);
      this.x.send(request(op.changeKeyboardMapping, count, about, u32(...run)));
      run = [];
    }
  }

  private async readMap(): Promise<KeyMap> {
    const { minKeycode, maxKeycode, root } = this.x.setup;
    const count = maxKeycode - minKeycode + 1;
    const [reply, pointer] = await Promise.all([
      this.x.call(request(op.getKeyboardMapping, 0, u8(minKeycode, count, 0, 0))),
      this.x.call(request(op.queryPointer, 0, u32(root))),
    ]);
    const perKey = reply[1] ?? 0;
    const state = pointer.readUInt16LE(24);
    const columns = Array.from({ length: count }, (_, key) =>
      Array.from({ length: perKey }, (_unused, at) =>
        reply.readUInt32LE(32 + (key * perKey + at) * 4),
      ),
    );
    return { columns, group: (state >> 13) & 3, capsLock: (state & lockMask) !== 0 };
  }
}

/** Keysyms without and with Shift in that layout; a key with a single layout uses that one. */
function levelsOf(column: number[], group: number): [number, number] {
  const own = group === 1 ? column.slice(2, 4) : column.slice(0, 2);
  const [plain = 0, shifted = 0] = own.some((keysym) => keysym !== 0) ? own : column;
  if (shifted !== 0) return [plain, shifted];
  return [plain, upperOf(plain)];
}

/** A letter with a single keysym has its capital with Shift. */
function upperOf(keysym: number): number {
  const isSmall = keysym >= 0x61 && keysym <= 0x7a;
  return isSmall ? keysym - 0x20 : keysym;
}

/** Keycodes without a meaning, and those that a killed host assigned and did not reset. */
const spareKeys = ({ columns }: KeyMap, first: number): number[] =>
  columns.flatMap((column, at) => (isSpare(column) ? [first + at] : []));

function isSpare(column: number[]): boolean {
  const [plain = 0, ...others] = column.slice(0, 4);
  if (plain < unicodeBase) return column.every((keysym) => keysym === 0);
  return others.length === 3 && others.every((keysym) => keysym === plain);
}

function useClipboard(): HostError {
  const message = msg('computer.layoutLacksCharacters');
  return new HostError('conflict', 'use_clipboard', message);
}
