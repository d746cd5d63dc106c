import { isObject } from '../../../core/is-object.ts';
import { printable } from '../../../platform/archives/archive-problems.ts';
import {
  type CatalogContext,
  EntryProblem,
  type EntryScope,
  type EntrySource,
  type JsonObject,
} from './catalog.ts';
import { type GitAddress, gitAddress } from './git-address.ts';
import { readRef, readSha } from './git-pin.ts';
import { repositoryPath } from './repository-path.ts';
import { msg } from '../../../messages/index.ts';

const notInstallable = {
  npm: msg('catalog.npmPackage'),
  archive: msg('catalog.archiveDownload'),
  command: msg('catalog.ownCommand'),
};

/**
 * Reads the `source` of an entry of a CLAUDE or AGENTS catalog. A known form that cannot be
 * installed is returned as `none`.
 * @throws EntryProblem for an unknown or broken form
 */
export function entrySource(value: unknown, scope: EntryScope): EntrySource {
  if (value === undefined || value === null || value === '') {
    throw new EntryProblem(msg('catalog.noSource'));
  }
  if (typeof value === 'string') return relative(value, scope.pluginRoot);
  if (!isObject(value)) throw new EntryProblem(msg('catalog.sourceOfOtherType'));
  return writtenOut(value, scope);
}

function writtenOut(value: JsonObject, scope: EntryScope): EntrySource {
  const form = value['source'];
  switch (form) {
    case 'local':
      return relative(required(value, 'path'), null);
    case 'github':
      return repository(required(value, 'repo'), optionalPath(value), { value, scope });
    case 'url':
      return repository(required(value, 'url'), optionalPath(value), { value, scope });
    case 'git-subdir': {
      const path = repositoryPath(required(value, 'path'));
      return repository(required(value, 'url'), path, { value, scope });
    }
    case 'npm':
    case 'archive':
    case 'command':
      return { form: 'none', reason: notInstallable[form] };
    default:
      throw new EntryProblem(
        typeof form === 'string'
          ? msg('catalog.unknownFormNamed', { form: printable(form) })
          : msg('catalog.unknownForm'),
      );
  }
}

function required(source: JsonObject, field: string): string {
  const value = source[field];
  if (typeof value !== 'string' || value === '') {
    throw new EntryProblem(msg('catalog.sourceFieldMissing', { field }));
  }
  return value;
}

function optionalPath(source: JsonObject): string {
  const path = source['path'];
  if (path === undefined || path === null) return '';
  if (typeof path !== 'string') throw new EntryProblem(msg('catalog.sourcePathNotText'));
  return repositoryPath(path);
}

/** A path that begins with `./` is used as it is; only a plain one is relative to `pluginRoot`. */
function relative(written: string, pluginRoot: string | null): EntrySource {
  if (/^[a-z][a-z0-9+.-]+:/i.test(written)) {
    throw new EntryProblem(msg('catalog.sourceIsAddress'));
  }
  const path = repositoryPath(written);
  if (/^\.(?:\/|$)/.test(written)) return { form: 'relative', path };
  if (pluginRoot === null) {
    throw new EntryProblem(msg('catalog.sourcePathStart'));
  }
  return { form: 'relative', path: pluginRoot === '' ? path : `${pluginRoot}/${path}` };
}

interface Written {
  value: JsonObject;
  scope: EntryScope;
}

function repository(written: string, path: string, { value, scope }: Written): EntrySource {
  const ref = readRef(value['ref']);
  const sha = readSha(value['sha']);
  const address = resolved(written, scope.context);
  if ('reason' in address) return { form: 'none', reason: address.reason };
  if (address.url.startsWith('file:') && !/^file:/i.test(scope.context.address)) {
    const reason = msg('catalog.fileRepository');
    return { form: 'none', reason };
  }
  return { form: 'git', url: address.url, path, ref, sha };
}

function resolved(written: string, context: CatalogContext): GitAddress {
  if (!/^\.\.?\//.test(written)) return gitAddress(written);
  const absolute = !/[\p{Cc}\\]/u.test(written) ? context.resolveAgainst?.(written) : undefined;
  if (typeof absolute === 'string') return gitAddress(absolute);
  return {
    reason: msg('catalog.relativeRepository'),
  };
}
