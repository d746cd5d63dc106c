import { isObject } from '../../../core/is-object.ts';
import { redactedEntry } from './redacted-entry.ts';
import {
  type CatalogEntry,
  type ComponentField,
  componentFields,
  EntryProblem,
  type EntryScope,
  type EntrySource,
  type JsonObject,
} from './catalog.ts';
import { entrySource } from './entry-source.ts';
import { entryTexts, entryVersion } from './entry-texts.ts';
import { nameSlug } from './name-slug.ts';

const maxNameLength = 1_000;

/** Reads one entry of a CLAUDE catalogue. Throws EntryProblem when it has to be left out. */
export function pluginEntry(raw: JsonObject, scope: EntryScope): CatalogEntry {
  const name = readName(raw['name']);
  const slug = nameSlug(name);
  if (slug === undefined) throw new EntryProblem('has a name without a letter or digit');
  const source = entrySource(raw['source'], scope);
  warnChangedName(name, slug, scope);
  const texts = entryTexts(raw, name);
  return {
    name,
    slug,
    ...texts,
    title: texts.title || slug,
    version: entryVersion(raw['version']),
    source,
    strict: raw['strict'] !== false,
    declared: declaredIn(raw),
    manifest: null,
    raw: redactedEntry(raw),
  };
}

/** The same of an AGENTS catalogue, whose publishers say to whom they offer it. */
export function offeredEntry(raw: JsonObject, scope: EntryScope): CatalogEntry {
  const entry = pluginEntry(raw, scope);
  return { ...entry, source: offered(raw['policy'], entry.source, scope) };
}

function readName(name: unknown): string {
  if (name === undefined || name === null) throw new EntryProblem('has no name');
  if (typeof name !== 'string') throw new EntryProblem('has a name that is no text');
  if (name.trim() === '') throw new EntryProblem('has an empty name');
  if (name.length > maxNameLength) {
    throw new EntryProblem(`has a name of more than ${maxNameLength} characters`);
  }
  return name;
}

/** Names with blanks, capitals or dots are ordinary; these are not. */
function warnChangedName(name: string, slug: string, scope: EntryScope): void {
  if (name === slug) return;
  if (slug === `plugin-${name.toLowerCase()}`) {
    scope.warn(`has the name of a Windows device and is listed as ${slug}`);
  } else if (name.length > slug.length && slug.length > 50) {
    scope.warn(`has a very long name and is listed as ${slug}`);
  } else if (/[/\\\p{Cc}\p{Bidi_Control}]|\.\./u.test(name)) {
    scope.warn(`has a name that looks like a path or hides characters and is listed as ${slug}`);
  }
}

/** What the publisher says about installing. `INSTALLED_BY_DEFAULT` is an offer: nothing installs itself. */
function offered(policy: unknown, source: EntrySource, scope: EntryScope): EntrySource {
  if (!isObject(policy)) return source;
  const { installation = 'AVAILABLE', products } = policy;
  if (Array.isArray(products) && products.length === 0) {
    return { form: 'none', reason: 'Its publisher offers it to nobody.' };
  }
  switch (installation) {
    case null:
    case 'AVAILABLE':
    case 'INSTALLED_BY_DEFAULT':
      return source;
    case 'NOT_AVAILABLE':
      return { form: 'none', reason: 'Its publisher does not offer it for installing.' };
    default:
      scope.warn('has an unknown installation policy and cannot be installed');
      return { form: 'none', reason: 'The host does not know its installation policy.' };
  }
}

function declaredIn(raw: JsonObject): CatalogEntry['declared'] {
  const declared: Partial<Record<ComponentField, unknown>> = {};
  for (const field of componentFields) {
    if (raw[field] !== undefined) declared[field] = raw[field];
  }
  return declared;
}
