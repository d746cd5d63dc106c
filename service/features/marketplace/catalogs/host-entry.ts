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
import { textOf } from '../../../messages/index.ts';

const maxAddressLength = 2_048;
/** Id prefixes of plugins from the other kinds of catalogs. */
const prefixes = SourceKind.options
  .filter((kind) => kind !== 'HOST')
  .map((kind) => `${kind.toLowerCase()}.`);

/** Reads one entry of a HOST catalogue. Throws EntryProblem when it has to be left out. */
export function hostEntry(raw: JsonObject, scope: EntryScope): CatalogEntry {
  const manifest = checkedManifest(raw, scope);
  const { id } = manifest;
  if (prefixes.some((prefix) => id.startsWith(prefix)))
    throw new EntryProblem('has an id that belongs to plugins of other kinds of sources');
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
      throw new EntryProblem('claims to be an official plugin, which only the host itself brings');
    }
    const [first] = error.errors ?? [];
    throw new EntryProblem(
      `has a manifest that is not valid: ${first?.path} ${textOf(first?.message ?? '')}`,
    );
  }
}

function packageSource(raw: JsonObject, scope: EntryScope): EntrySource {
  const written = raw['package'];
  if (typeof written !== 'string' || written === '') throw new EntryProblem('names no package');
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
  if (url === null) throw new EntryProblem('has a package address that cannot be read');
  const isFile = url.protocol === 'file:';
  if (!isFile && url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new EntryProblem('has a package address that is not one of https, http or file');
  }
  if (isFile && (!/^file:/i.test(base) || url.host !== '')) {
    throw new EntryProblem(
      'has a package on a disk, which only a catalogue on this computer may name',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new EntryProblem('has a user name or a password in its package address');
  }
  url.hash = '';
  return url.href;
}

function readSha256(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/i.test(value)) {
    throw new EntryProblem('has a sha256 that is not one of 64 hexadecimal digits');
  }
  return value.toLowerCase();
}

function readSignature(value: unknown): { signature?: string } {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'string' || !/^[A-Za-z\d+/]{86}==$/.test(value))
    throw new EntryProblem('has a signature that is not one of 64 bytes in base64');
  return { signature: value };
}

function readSize(value: unknown, scope: EntryScope): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  scope.warn('has a size that is not a number of bytes, which is not shown');
  return null;
}
