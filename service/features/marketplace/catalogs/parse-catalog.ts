import { isObject } from '../../../core/is-object.ts';
import { HostError } from '../../../core/host-error.ts';
import {
  type Catalog,
  type CatalogContext,
  type CatalogEntry,
  EntryProblem,
  type EntryScope,
  type JsonObject,
} from './catalog.ts';
import { type CatalogKind, catalogKinds } from './catalog-kinds.ts';
import { CatalogWarnings } from './catalog-warnings.ts';
import { cleanText } from './clean-text.ts';
import { readRenames } from './read-renames.ts';
import { repositoryPath } from './repository-path.ts';
import { type HostText, type Message, msg } from '../../../messages/index.ts';

const maxEntries = 5_000;
const maxCatalogName = 200;
const maxCatalogDescription = 4_000;

/**
 * Parses a catalog from the result of `decodeCatalog`. Each item of its `plugins` becomes an entry
 * or a warning that it is left out; a warning may also refer to an entry that is kept.
 * @throws HostError `invalid_catalog` only if the whole document is not a catalog
 */
export function parseCatalog(document: unknown, context: CatalogContext): Catalog {
  const { root, plugins } = catalogRoot(document);
  const warnings = new CatalogWarnings();
  const metadata = isObject(root['metadata']) ? root['metadata'] : {};
  const pluginRoot = readPluginRoot(metadata['pluginRoot'], context, warnings);
  const facade = isObject(root['interface']) ? root['interface'] : {};
  const text = (maxLength: number, ...values: unknown[]): string | null =>
    values.map((value) => cleanText(value, maxLength)).find((one) => one !== '') ?? null;
  return {
    kind: context.kind,
    name: text(maxCatalogName, root['name'], facade['displayName']),
    description: text(maxCatalogDescription, root['description'], metadata['description']),
    entries: readEntries(plugins, { context, pluginRoot }, warnings),
    renames: readRenames(root['renames'], warnings),
    warnings: warnings.list(),
  };
}

function catalogRoot(document: unknown): { root: JsonObject; plugins: unknown[] } {
  if (Array.isArray(document)) throw notACatalog(msg('catalog.isList'));
  if (!isObject(document)) throw notACatalog(msg('catalog.isValue'));
  const { plugins } = document;
  if (Array.isArray(plugins)) return { root: document, plugins };
  throw notACatalog(
    plugins === undefined ? msg('catalog.noPlugins') : msg('catalog.pluginsNotList'),
  );
}

function notACatalog(message: Message): HostError {
  return new HostError('invalid', 'invalid_catalog', message);
}

function readPluginRoot(
  value: unknown,
  context: CatalogContext,
  warnings: CatalogWarnings,
): string | null {
  if (!catalogKinds[context.kind].hasPluginRoot || value === undefined || value === null)
    return null;
  try {
    if (typeof value === 'string') return repositoryPath(value);
    throw new EntryProblem(msg('catalog.notText'));
  } catch (error) {
    if (!(error instanceof EntryProblem)) throw error;
    warnings.add('', msg('catalog.badPluginRoot', { reason: error.reason }));
    return null;
  }
}

function readEntries(
  plugins: unknown[],
  shared: Pick<EntryScope, 'context' | 'pluginRoot'>,
  warnings: CatalogWarnings,
): CatalogEntry[] {
  const kind = catalogKinds[shared.context.kind];
  const context = { ...shared.context };
  if (!kind.resolvesAddresses) delete context.resolveAgainst;
  const entries = new Map<string, CatalogEntry>();
  for (const [index, raw] of plugins.slice(0, maxEntries).entries()) {
    const label = entryLabel(raw, index);
    try {
      if (!isObject(raw)) throw new EntryProblem(msg('catalog.entryNotObject'));
      const warn = (reason: Message): void => warnings.add(label, reason);
      const entry = kind.readEntry(raw, { ...shared, context, warn });
      const key = kind.hasPackages ? entry.name : entry.slug;
      refuseTwin(entry, entries.get(key), kind);
      entries.set(key, entry);
    } catch (error) {
      if (!(error instanceof EntryProblem)) throw error;
      warnings.add(label, msg('catalog.entryLeftOut', { reason: error.reason }));
    }
  }
  if (plugins.length > maxEntries) {
    warnings.add('', msg('catalog.tooManyEntries', { count: plugins.length, limit: maxEntries }));
  }
  return [...entries.values()];
}

/** The first entry with a name is kept; a later one never replaces it. */
function refuseTwin(
  entry: CatalogEntry,
  first: CatalogEntry | undefined,
  { hasPackages }: CatalogKind,
): void {
  if (first === undefined) return;
  if (hasPackages) throw new EntryProblem(msg('catalog.twinId'));
  if (first.name === entry.name) throw new EntryProblem(msg('catalog.twinName'));
  throw new EntryProblem(msg('catalog.twinSlug', { slug: entry.slug, name: first.title }));
}

/** Label of an entry in warnings: its name, or its position counted from 1. */
function entryLabel(raw: unknown, index: number): HostText {
  const named = isObject(raw) ? [raw['id'], raw['name']] : [];
  const name = named.find((one) => typeof one === 'string' && one.trim() !== '');
  return typeof name === 'string' ? name : msg('catalog.entryLabel', { number: index + 1 });
}
