import { Properties } from 'properties-file/parser';
import { escapeValue } from 'properties-file/escape';

const byteOrderMark = '\ufeff';

/**
 * Replaces values in the text of a properties file. `change` gets every key with its value, also of
 * keys that stand there twice, and returns the value that is to stand there. Lines whose value stays
 * keep every character.
 */
export function withValues(text: string, change: (key: string, value: string) => string): string {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : '';
  const rest = text.slice(mark.length);
  const lines: string[] = [...(rest.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [])];
  for (const node of new Properties(rest).getProperties()) {
    const value = change(node.key, node.value);
    if (value === node.value) continue;
    const [first, last] = [node.startingLineNumber - 1, node.endingLineNumber - 1];
    const separator = node.separatorLeading + (node.separatorChar ?? '') + node.separatorTrailing;
    const start = node.leadingWhitespace + node.escapedKey + (separator || '=');
    const end = /[\r\n]*$/.exec(lines[last] ?? '')?.[0] ?? '';
    lines.fill('', first, last);
    lines[last] = start + escapeValue(value, true) + end;
  }
  return mark + lines.join('');
}

/** Adds a key at the end, on a line of its own. */
export function withKey(text: string, key: string, value: string): string {
  const lineEnd = /\r\n|\r|\n/.exec(text)?.[0] ?? '\n';
  const start = text === '' || /[\r\n]$/.test(text) ? text : text + lineEnd;
  return `${start}${key}=${escapeValue(value, true)}${lineEnd}`;
}

/** UTF-8, or where that cannot be ISO-8859-1 as Java's older files; what `bytesOf` gives back is the same. */
export interface DecodedText {
  text: string;
  encoding: 'utf8' | 'latin1';
}

export function decodeText(bytes: Buffer): DecodedText {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return { text: decoder.decode(bytes), encoding: 'utf8' };
  } catch {
    return { text: bytes.toString('latin1'), encoding: 'latin1' };
  }
}
