import { type Message, msg } from '../../../messages/index.ts';
const unprintable = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/;
const blanks = /[\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF\u00AD\u180E]/;
const directions = /[\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFFFC]/;

/** Returns the reason why a text displays differently than it runs, null if it does not. */
export function suspiciousText(text: string): Message | null {
  if (unprintable.test(text)) return msg('command.controlCharacters');
  if (/\r(?!\n)/.test(text)) return msg('command.carriageReturnInLine');
  if (blanks.test(text)) return msg('command.oddSpaces');
  if (directions.test(text)) return msg('command.invisibleCharacters');
  return null;
}
