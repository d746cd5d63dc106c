import { isObject } from '../../../core/is-object.ts';
import { maxSettings, settingKey, UserConfigField } from '../../../contract/index.ts';
import type { ContentWarning, ContentWarnings } from './content-warnings.ts';
import type { DeclaredParts, PluginAbout } from './plugin-contents.ts';
import { languageServersIn } from './language-servers-in.ts';
import { startReading, type DocumentReading } from './plugin-reading.ts';
import { readJson } from './read-json.ts';
import { visibleText } from './visible-text.ts';
import { msg } from '../../../messages/index.ts';

/** The tool whose manifest format a plugin uses. */
export type ManifestDialect = 'claude' | 'codex' | 'agent-plugins';

const maxNameLength = 128;
const maxDescriptionLength = 4_000;
const maxAddressLength = 2_048;
const maxKeywords = 50;

/** Ordered by precedence: the first one that exists and can be read is used. */
const dialects: readonly { dialect: ManifestDialect; path: string }[] = [
  { dialect: 'claude', path: '.claude-plugin/plugin.json' },
  { dialect: 'codex', path: '.codex-plugin/plugin.json' },
  { dialect: 'agent-plugins', path: 'plugin.json' },
];
/** Paths of manifests in a plugin, by precedence. */
export const manifestPaths: readonly string[] = dialects.map(({ path }) => path);

/** The contents of a manifest in any dialect. */
export interface ManifestFacts {
  dialect: ManifestDialect;
  about: PluginAbout;
  declared: DeclaredParts;
  /** Names of language servers; the host runs none. */
  languageServers: string[];
}

/** Reads the JSON at one of `manifestPaths`; null if it is not a manifest. */
export function manifestIn(path: string, manifest: unknown): ManifestFacts | null {
  const dialect = dialects.find((one) => one.path === path)?.dialect;
  if (dialect === undefined || !isObject(manifest)) return null;
  if (dialect === 'agent-plugins' && !isNeutral(manifest)) return null;
  return {
    dialect,
    about: aboutOf(manifest),
    declared: dialect === 'agent-plugins' ? {} : declaredBy(manifest),
    languageServers: languageServersIn(manifest['lspServers']),
  };
}

interface ReadManifest {
  dialect: ManifestDialect | null;
  about: PluginAbout;
  declared: DeclaredParts;
  userConfig: Record<string, UserConfigField>;
  warnings: ContentWarning[];
}

/**
 * Reads the manifest of a plugin in any of the three dialects. Without a manifest, `dialect` is
 * null and everything else empty. A broken one is a warning.
 */
export async function readPluginManifest(directory: string): Promise<ReadManifest> {
  return manifestOf(await startReading(directory));
}

/** Like `readPluginManifest`, within a reading in progress. */
export async function manifestOf(reading: DocumentReading): Promise<ReadManifest> {
  const { warnings } = reading;
  for (const path of manifestPaths) {
    const manifest = await readJson(reading, path);
    if (manifest === undefined) continue;
    if (!isObject(manifest)) warnings.add(path, msg('contributions.notJsonObject'));
    const facts = manifestIn(path, manifest);
    if (facts === null || !isObject(manifest)) continue;
    const { dialect, about, declared } = facts;
    const userConfig = userConfigIn(manifest.userConfig, path, warnings);
    return { dialect, about, declared, userConfig, warnings: warnings.list() };
  }
  const none = { dialect: null, about: aboutOf({}), declared: {}, userConfig: {} };
  return { ...none, warnings: warnings.list() };
}

/** The settings that a manifest or a catalog entry declares; unknown ones give warnings. */
export function userConfigIn(
  value: unknown,
  from: string,
  warnings: Pick<ContentWarnings, 'add'>,
): Record<string, UserConfigField> {
  if (!isObject(value)) return {};
  const fields = Object.entries(value).slice(0, maxSettings);
  return Object.fromEntries(
    fields.flatMap(([key, written]) => {
      const field = isObject(written) ? { title: key, ...written } : written;
      const parsed = UserConfigField.safeParse(field);
      if (parsed.success && settingKey.test(key)) return [[key, parsed.data]];
      warnings.add(from, msg('contributions.unknownSetting', { name: key }));
      return [];
    }),
  );
}

/** Other tools have a `plugin.json` in that location, too. */
function isNeutral(manifest: Record<string, unknown>): boolean {
  return (
    typeof manifest.$schema === 'string' &&
    /^https:\/\/agent-plugins\.org\/schemas\//.test(manifest.$schema)
  );
}

function declaredBy(manifest: Record<string, unknown>): DeclaredParts {
  const { skills, commands, agents, hooks, mcpServers } = manifest;
  return { skills, commands, agents, hooks, mcpServers };
}

function aboutOf(manifest: Record<string, unknown>): PluginAbout {
  const shop = isObject(manifest.interface) ? manifest.interface : {};
  const first = (maxLength: number, ...values: unknown[]): string | null =>
    values.map((value) => visibleText(value, maxLength)).find((text) => text !== null) ?? null;
  const { version, license } = manifest;
  return {
    name: first(maxNameLength, manifest.name),
    title: first(maxNameLength, manifest.displayName, shop.displayName),
    version: first(maxNameLength, typeof version === 'number' ? String(version) : version),
    description: first(
      maxDescriptionLength,
      manifest.description,
      shop.shortDescription,
      shop.longDescription,
    ),
    author: first(maxNameLength, nameIn(manifest.author), shop.developerName),
    homepage: addressOf(
      manifest.homepage,
      shop.websiteUrl,
      shop.websiteURL,
      isObject(manifest.repository) ? manifest.repository.url : manifest.repository,
    ),
    license: first(maxNameLength, license),
    keywords: keywordsOf(manifest.keywords),
    category: first(maxNameLength, manifest.category, shop.category),
  };
}

function nameIn(author: unknown): unknown {
  return isObject(author) ? author.name : author;
}

function addressOf(...values: unknown[]): string | null {
  for (const value of values) {
    if (typeof value !== 'string' || value.length > maxAddressLength) continue;
    const url = URL.parse(value.trim());
    if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') {
      return url.href;
    }
  }
  return null;
}

function keywordsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  const keywords = value.slice(0, maxKeywords).map((word) => visibleText(word, maxNameLength));
  return [...new Set(keywords.filter((word) => word !== null))];
}
