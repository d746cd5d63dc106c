import { Properties } from 'properties-file/parser';
import { escapeValue } from 'properties-file/escape';

const byteOrderMark = '\ufeff';

/**
 * Replaces values in the text of a properties file. `change` is called with each key and value,
 * including duplicate keys, and returns the new value. Lines with an unchanged value keep every
 * character.
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

/** Appends a key on its own line. */
export function withKey(text: string, key: string, value: string): string {
  const lineEnd = /\r\n|\r|\n/.exec(text)?.[0] ?? '\n';
  const start = text === '' || /[\r\n]$/.test(text) ? text : text + lineEnd;
  return `${start}${key}=${escapeValue(value, true)}${lineEnd}`;
}

/**
 * Text in UTF-8, or in ISO-8859-1 like older Java files if it is not valid UTF-8; `bytesOf`
 * restores the bytes.
 */
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
