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
import { msg } from '../../../messages/index.ts';

const maxNameLength = 1_000;

/** Reads one entry of a CLAUDE catalog. @throws EntryProblem if it must be left out */
export function pluginEntry(raw: JsonObject, scope: EntryScope): CatalogEntry {
  const name = readName(raw['name']);
  const slug = nameSlug(name);
  if (slug === undefined) throw new EntryProblem(msg('catalog.nameWithoutLetters'));
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

/**
 * Reads one entry of an AGENTS catalog, which can have an installation policy.
 * @throws EntryProblem if it must be left out
 */
export function offeredEntry(raw: JsonObject, scope: EntryScope): CatalogEntry {
  const entry = pluginEntry(raw, scope);
  return { ...entry, source: offered(raw['policy'], entry.source, scope) };
}

function readName(name: unknown): string {
  if (name === undefined || name === null) throw new EntryProblem(msg('catalog.noName'));
  if (typeof name !== 'string') throw new EntryProblem(msg('catalog.nameNotText'));
  if (name.trim() === '') throw new EntryProblem(msg('catalog.nameEmpty'));
  if (name.length > maxNameLength) {
    throw new EntryProblem(msg('catalog.nameTooLong', { limit: maxNameLength }));
  }
  return name;
}

/** Names with spaces, capitals or dots are ordinary and give no warning. */
function warnChangedName(name: string, slug: string, scope: EntryScope): void {
  if (name === slug) return;
  if (slug === `plugin-${name.toLowerCase()}`) {
    scope.warn(msg('catalog.nameOfDevice', { slug }));
  } else if (name.length > slug.length && slug.length > 50) {
    scope.warn(msg('catalog.nameShortened', { slug }));
  } else if (/[/\\\p{Cc}\p{Bidi_Control}]|\.\./u.test(name)) {
    scope.warn(msg('catalog.nameMisleads', { slug }));
  }
}

/**
 * Applies the publisher's policy. `INSTALLED_BY_DEFAULT` only offers the plugin: nothing is
 * installed automatically.
 */
function offered(policy: unknown, source: EntrySource, scope: EntryScope): EntrySource {
  if (!isObject(policy)) return source;
  const { installation = 'AVAILABLE', products } = policy;
  if (Array.isArray(products) && products.length === 0) {
    return { form: 'none', reason: msg('catalog.offeredToNobody') };
  }
  switch (installation) {
    case null:
    case 'AVAILABLE':
    case 'INSTALLED_BY_DEFAULT':
      return source;
    case 'NOT_AVAILABLE':
      return { form: 'none', reason: msg('catalog.notOffered') };
    default:
      scope.warn(msg('catalog.badPolicy'));
      return { form: 'none', reason: msg('catalog.unknownPolicy') };
  }
}

function declaredIn(raw: JsonObject): CatalogEntry['declared'] {
  const declared: Partial<Record<ComponentField, unknown>> = {};
  for (const field of componentFields) {
    if (raw[field] !== undefined) declared[field] = raw[field];
  }
  return declared;
}
