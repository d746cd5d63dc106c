import { setTimeout as delay } from 'node:timers/promises';
import { HostError } from '../../../core/host-error.ts';
import { keyParts } from '../../browser/key-names.ts';
import { typableCharacters } from '../typable.ts';
import type { Robot } from './robot.ts';
import { msg } from '../../../messages/index.ts';

/** Slow programs lose characters that arrive faster. */
const charactersAtOnce = 10;
const stepMs = 12;

const names: Record<string, string | undefined> = {
  Control: 'control',
  Shift: 'shift',
  Alt: 'alt',
  Meta: 'command',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  ContextMenu: 'menu',
};
/** On macOS, a character is looked up among those that need no Shift. */
const shifted = new Map(
  Array.from('~!@#$%^&*()_+{}|:"<>?', (character, at) => [
    character,
    "`1234567890-=[]\\;',./"[at] ?? '',
  ]),
);

/** Types characters independently of the keyboard layout. */
export async function typeText(
  robot: Robot,
  platform: NodeJS.Platform,
  text: string,
  signal: AbortSignal,
): Promise<void> {
  const characters = typableCharacters(text);
  if (platform === 'darwin' && characters.some((one) => one.length > 1)) throw useClipboard();
  for (const [index, character] of characters.entries()) {
    if (index > 0 && index % charactersAtOnce === 0) await delay(stepMs, undefined, { signal });
    if (character === '\n') robot.keyTap('enter', []);
    else if (character === '\t') robot.keyTap('tab', []);
    else
      for (let at = 0; at < character.length; at += 1) robot.unicodeTap(character.charCodeAt(at));
  }
}

/**
 * Presses and releases a key combination in one call.
 * @throws HostError `invalid_key`, `no_such_key`
 */
export function pressChord(robot: Robot, platform: NodeJS.Platform, text: string): void {
  const parts = keyParts(text);
  const key = parts.at(-1) ?? '';
  const modifierKeys = parts.slice(0, -1).map((name) => names[name] ?? name);
  if (modifierKeys.length === 0 && key.length === 1) return robot.unicodeTap(key.charCodeAt(0));
  const base = platform === 'darwin' ? shifted.get(key) : undefined;
  const modifiers = [...new Set(base === undefined ? modifierKeys : [...modifierKeys, 'shift'])];
  try {
    robot.keyTap(base ?? names[key] ?? key.toLowerCase(), modifiers);
  } catch (error) {
    const message = msg('computer.noSuchKey', { key: text.slice(0, 60) });
    throw new HostError('conflict', 'no_such_key', message, { cause: error });
  }
}

function useClipboard(): HostError {
  const message = msg('computer.emojiNotTypable');
  return new HostError('conflict', 'use_clipboard', message);
}
