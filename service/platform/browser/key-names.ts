import { HostError } from '../../core/host-error.ts';
import { msg } from '../../messages/index.ts';

const modifiers: Record<string, string | undefined> = {
  ctrl: 'Control',
  control: 'Control',
  shift: 'Shift',
  alt: 'Alt',
  option: 'Alt',
  meta: 'Meta',
  cmd: 'Meta',
  command: 'Meta',
  super: 'Meta',
};

const named: Record<string, string | undefined> = Object.fromEntries(
  [
    ...['Enter', 'Tab', 'Backspace', 'Delete', 'Insert', 'Escape', 'Home', 'End', 'PageUp'],
    ...['PageDown', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Space', 'CapsLock'],
    ...['Control', 'Shift', 'Alt', 'Meta', 'ContextMenu'],
    ...Array.from({ length: 12 }, (_, at) => `F${at + 1}`),
  ].map((name) => [name.toLowerCase(), name]),
);

/**
 * Splits `ctrl+a` into modifiers and the key, with the names of the web platform. A key is one
 * character or a name such as `Enter`.
 * @throws HostError `invalid_key`
 */
export function keyParts(text: string): string[] {
  const parts = text === '+' ? ['+'] : text.replace(/\+\+$/, '+plus').split('+');
  const last = parts.at(-1) === 'plus' ? '+' : (parts.at(-1) ?? '');
  const modifierNames = parts.slice(0, -1).map((part) => modifiers[part.trim().toLowerCase()]);
  const key = keyOf(last);
  if (key === undefined || modifierNames.includes(undefined)) throw unknownKey(text);
  return [...(modifierNames as string[]), key];
}

function keyOf(text: string): string | undefined {
  if (text === ' ') return 'Space';
  if (/^.$/su.test(text)) return text;
  const name = text.trim().toLowerCase();
  const short: Record<string, string | undefined> = {
    esc: 'Escape',
    return: 'Enter',
    del: 'Delete',
    up: 'ArrowUp',
    down: 'ArrowDown',
    left: 'ArrowLeft',
    right: 'ArrowRight',
  };
  return named[name] ?? short[name] ?? modifiers[name];
}

function unknownKey(text: string): HostError {
  const message = msg('browser.unknownKey', { key: text.slice(0, 60) });
  return new HostError('invalid', 'invalid_key', message);
}
