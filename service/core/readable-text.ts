/** A text of a program, split into a sentence for people and data. */
export interface ReadableText {
  /** Empty when the text holds only data. */
  sentence: string;
  /** The whole text, when it contains data or a page that does not belong in a sentence. */
  details?: string;
}

const page = /<!doctype\b|<html\b|<head\b|<body\b/i;
/** Each part ends at the next tag, so the search is linear. */
const pageTitle = /<title[^<>]{0,200}>([^<]{1,200})<\/title>/i;
/** A title is among the first tags of a page. */
const maxHead = 64 * 1024;
/** A list of plain numbers or words also occurs in sentences, so it does not count. */
const dataStart = /[{[]\s{0,20}["{[}]/g;
const maxDataStarts = 20;
const maxParsed = 1_000_000;
const maxSentence = 4_000;

/** Separates the readable sentence in a text of a program from JSON and HTML in it. */
export function readableText(text: string): ReadableText {
  const pageAt = text.search(page);
  const data = dataIn(text);
  if (pageAt !== -1 && (data === null || pageAt < data.at)) {
    const title = pageTitle.exec(text.slice(pageAt, pageAt + maxHead))?.[1] ?? '';
    return { sentence: joined(text.slice(0, pageAt), title), details: text };
  }
  if (data === null) return { sentence: text };
  const message = messageIn(data.value)?.trim() ?? '';
  return { sentence: joined(text.slice(0, data.at), message), details: text };
}

/** Finds JSON that extends to the end of the text. */
function dataIn(text: string): { at: number; value: unknown } | null {
  const trimmed = text.trimEnd().replace(/[.)]$/, '');
  if (!/[}\]]$/.test(trimmed.slice(-1)) || trimmed.length > maxParsed) return null;
  const starts = /^\s{0,20}\[/.test(trimmed) ? [{ index: 0 }] : trimmed.matchAll(dataStart);
  let tried = 0;
  for (const { index } of starts) {
    if ((tried += 1) > maxDataStarts) return null;
    try {
      const value: unknown = JSON.parse(trimmed.slice(index));
      return { at: index, value };
    } catch {
      // Brackets also occur in sentences.
      continue;
    }
  }
  return null;
}

/** Reads a message from its usual properties; deeper values are data. */
function messageIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const record = value as Record<string, unknown>;
  const { error } = record;
  const candidates = [record['message'], record['reason'], record['detail'], error];
  const found = candidates.find((one): one is string => typeof one === 'string' && one !== '');
  if (found !== undefined) return readableText(found).sentence;
  return typeof error === 'object' ? messageIn(error) : undefined;
}

function joined(before: string, message: string): string {
  const start = before
    .slice(0, maxSentence)
    .replace(/[\s:,;([{-]+$/, '')
    .trim();
  const rest = message.slice(0, maxSentence).trim();
  if (start === '' || rest === '') return start || rest;
  return /[.!?]$/.test(start) ? `${start} ${rest}` : `${start}: ${rest}`;
}
