import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { HostError } from '../../../core/host-error.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** An address that a user entered: a catalog document, a git repository, or either of them. */
export interface SourceAddress {
  url: string;
  form: 'document' | 'repository' | 'either';
}

/** Hosts whose addresses with two path segments are repositories. */
const forges = new Set(['github.com', 'gitlab.com', 'codeberg.org', 'bitbucket.org']);

/** @throws HostError 400 `invalid_source` that says what an address looks like */
export async function readSourceAddress(typed: string): Promise<SourceAddress> {
  const shorthand = /^([A-Za-z0-9][\w.-]*)\/([\w.-]+?)(?:\.git)?$/.exec(typed);
  if (shorthand && !/^\.+$/.test(shorthand[2] as string)) {
    return { url: `https://github.com/${shorthand[1]}/${shorthand[2]}.git`, form: 'repository' };
  }
  const url = urlOf(typed);
  if (url.protocol === 'file:') return fileAddress(url);
  url.hash = '';
  const parts = url.pathname.split('/').filter((part) => part !== '');
  if (forges.has(url.hostname) && parts.length === 2) {
    if (!url.pathname.endsWith('.git')) url.pathname = `/${parts.join('/')}.git`;
    return { url: url.href, form: 'repository' };
  }
  if (url.pathname.endsWith('.git')) return { url: url.href, form: 'repository' };
  if (url.pathname.endsWith('.json')) return { url: url.href, form: 'document' };
  return { url: url.href, form: 'either' };
}

function urlOf(typed: string): URL {
  if (!/^(?:https?|file):/i.test(typed) || !URL.canParse(typed)) throw invalid(typed);
  const url = new URL(typed);
  if (url.username !== '' || url.password !== '') {
    throw invalidSource(msg('store.addressWithCredentials'));
  }
  return url;
}

async function fileAddress(url: URL): Promise<SourceAddress> {
  url.hash = '';
  url.search = '';
  if (url.host !== '' || /%(?:[01][0-9a-f]|7f)/i.test(url.pathname)) throw invalid(url.href);
  // A trailing slash must not make a second address of the same folder.
  url.pathname = url.pathname.replace(/(?<=.)\/+$/, '');
  let path: string;
  try {
    path = fileURLToPath(url);
  } catch {
    throw invalid(url.href);
  }
  const found = await stat(path).catch(() => null);
  const isFolder = found?.isDirectory() ?? !path.endsWith('.json');
  return { url: url.href, form: isFolder ? 'repository' : 'document' };
}

function invalid(typed: string): HostError {
  const scheme = /^([a-z][\w+.-]*):/i.exec(typed)?.[1];
  const isSupported = scheme !== undefined && /^(?:https?|file)$/i.test(scheme);
  if (/^(?:[/~]|\.\.?\/)/.test(typed)) return invalidSource(msg('store.sourceAddressPath'));
  const isOther = /@.*:/.test(typed) || (scheme !== undefined && !isSupported);
  return invalidSource(isOther ? msg('store.sourceAddressScheme') : msg('store.sourceAddress'));
}

function invalidSource(detail: Message): HostError {
  return new HostError('invalid', 'invalid_source', detail, {
    errors: [{ path: 'url', message: detail }],
  });
}
