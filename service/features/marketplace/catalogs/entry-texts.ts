import { isObject } from '../../../core/is-object.ts';
import { valid } from 'semver';
import { type JsonObject } from './catalog.ts';
import { cleanText } from './clean-text.ts';

const maxTitle = 200;
const maxDescription = 4_000;
const maxAuthor = 200;
const maxCategory = 100;
const maxKeywords = 50;
const maxKeyword = 60;
const maxHomepage = 2_048;
/** Fast path: nearly all addresses match this, and the full URL parser is much slower. */
const plainAddress = /^https?:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,20}(?:\/[\w.~/-]*)?$/;

/** The descriptive texts of an entry; empty if unknown. */
export interface EntryTexts {
  title: string;
  description: string;
  author: string;
  category: string;
  keywords: string[];
  homepage: string | null;
}

/**
 * Reads the texts of an entry and makes them safe to show. AGENTS entries may have them in
 * `interface`.
 */
export function entryTexts(entry: JsonObject, name: string): EntryTexts {
  const more = isObject(entry['interface']) ? entry['interface'] : {};
  const texts = (maxLength: number, ...values: unknown[]): string => {
    for (const value of values) {
      const text = cleanText(value, maxLength);
      if (text !== '') return text;
    }
    return '';
  };
  return {
    title: texts(maxTitle, entry['displayName'], more['displayName'], name),
    description: texts(
      maxDescription,
      ...[entry['description'], more['shortDescription'], more['longDescription']],
    ),
    author: texts(maxAuthor, nameOf(entry['author']), more['developerName']),
    category: texts(maxCategory, entry['category'], more['category']),
    keywords: keywordsOf(entry['keywords'], entry['tags']),
    homepage:
      webAddress(entry['homepage']) ??
      webAddress(more['websiteUrl']) ??
      webAddress(entry['repository']),
  };
}

/** A normalized semantic version; null for any other text. */
export function entryVersion(value: unknown): string | null {
  return typeof value === 'string' ? valid(value) : null;
}

function nameOf(person: unknown): unknown {
  return isObject(person) ? person['name'] : person;
}

function keywordsOf(...lists: unknown[]): string[] {
  const found = new Set<string>();
  for (const list of lists) {
    if (!Array.isArray(list)) continue;
    // Limits the search in an endless list without valid keywords.
    for (const item of list.slice(0, 10 * maxKeywords)) {
      const keyword = cleanText(item, maxKeyword);
      if (keyword !== '' && found.size < maxKeywords) found.add(keyword);
    }
  }
  return [...found];
}

function webAddress(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  if (value.length <= maxHomepage && plainAddress.test(value)) return value;
  if (!/^https?:\/\/[^\s\\]+$/i.test(value) || cleanText(value, maxHomepage) !== value) {
    return null;
  }
  const url = URL.parse(value);
  return url === null || url.username !== '' || url.password !== '' ? null : url.href;
}
