import type { PluginManifest } from '../../../contract/manifest.ts';
import { SourceKind } from '../../../contract/store.ts';
import { HostError } from '../../../core/host-error.ts';
import { readManifest, refuseReservedIdentity } from '../../plugins/index.ts';
import {
  type CatalogEntry,
  EntryProblem,
  type EntryScope,
  type EntrySource,
  type JsonObject,
} from './catalog.ts';
import { entryTexts } from './entry-texts.ts';
import { nameSlug } from './name-slug.ts';
import { msg } from '../../../messages/index.ts';

const maxAddressLength = 2_048;
/** Id prefixes of plugins from the other kinds of catalogs. */
const prefixes = SourceKind.options
  .filter((kind) => kind !== 'HOST')
  .map((kind) => `${kind.toLowerCase()}.`);

/** Reads one entry of a HOST catalog. @throws EntryProblem if it must be left out */
export function hostEntry(raw: JsonObject, scope: EntryScope): CatalogEntry {
  const manifest = checkedManifest(raw, scope);
  const { id } = manifest;
  if (prefixes.some((prefix) => id.startsWith(prefix)))
    throw new EntryProblem(msg('catalog.foreignId'));
  const source = packageSource(raw, scope);
  const { title, ...texts } = entryTexts({ ...raw, ...manifest, displayName: manifest.name }, id);
  return {
    name: id,
    slug: nameSlug(id) ?? id,
    title: title || id,
    ...texts,
    version: manifest.version,
    source,
    strict: true,
    declared: {},
    manifest,
    raw,
  };
}

function checkedManifest(raw: JsonObject, { context }: EntryScope): PluginManifest {
  try {
    const manifest = readManifest(raw);
    if (context.trusted !== true) refuseReservedIdentity(manifest);
    return manifest;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    if (error.code === 'reserved_identity') {
      throw new EntryProblem(msg('catalog.claimsOfficial'));
    }
    const [first] = error.errors ?? [];
    const reason = first?.message ?? error.text;
    throw new EntryProblem(
      first === undefined || first.path === ''
        ? msg('catalog.badManifestAsWhole', { reason })
        : msg('catalog.badManifest', { path: first.path, reason }),
    );
  }
}

function packageSource(raw: JsonObject, scope: EntryScope): EntrySource {
  const written = raw['package'];
  if (typeof written !== 'string' || written === '')
    throw new EntryProblem(msg('catalog.noPackage'));
  const url = packageAddress(written, scope.context.address);
  return {
    form: 'package',
    url,
    sha256: readSha256(raw['sha256']),
    sizeBytes: readSize(raw['sizeBytes'], scope),
    ...readSignature(raw['signature']),
  };
}

function packageAddress(written: string, base: string): string {
  const clean = written.length <= maxAddressLength && !/[\p{Cc}\s\\]/u.test(written);
  const url = clean ? URL.parse(written, base) : null;
  if (url === null) throw new EntryProblem(msg('catalog.packageAddressUnreadable'));
  const isFile = url.protocol === 'file:';
  if (!isFile && url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new EntryProblem(msg('catalog.packageAddressScheme'));
  }
  if (isFile && (!/^file:/i.test(base) || url.host !== '')) {
    throw new EntryProblem(msg('catalog.packageOnDisk'));
  }
  if (url.username !== '' || url.password !== '') {
    throw new EntryProblem(msg('catalog.packageCredentials'));
  }
  url.hash = '';
  return url.href;
}

function readSha256(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/i.test(value)) {
    throw new EntryProblem(msg('catalog.badSha256'));
  }
  return value.toLowerCase();
}

function readSignature(value: unknown): { signature?: string } {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'string' || !/^[A-Za-z\d+/]{86}==$/.test(value))
    throw new EntryProblem(msg('catalog.badSignature'));
  return { signature: value };
}

function readSize(value: unknown, scope: EntryScope): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  scope.warn(msg('catalog.badSize'));
  return null;
}
