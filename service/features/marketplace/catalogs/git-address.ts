import { type Message, msg } from '../../../messages/index.ts';

const maxAddressLength = 2_048;
/** Fast path for `owner/repo` and addresses on GitHub, which are most addresses. */
const onGitHub =
  /^(?:https:\/\/github\.com\/)?([a-z0-9][a-z0-9_-]{0,99})\/([a-z0-9._-]{1,100})\/?$/i;

/** An address to clone, or a sentence that says why it is invalid. */
export type GitAddress = { url: string } | { reason: Message };

/**
 * Parses the address of a repository. `https:`, `http:` and `file:` are accepted in any case and
 * normalized; `owner/repo` means a repository on GitHub. Addresses with a user name, a password, a
 * query or a fragment are refused, since they would show secrets to everyone.
 */
export function gitAddress(written: string): GitAddress {
  const text = written.trim();
  const fromGitHub = gitHubAddress(text);
  if (fromGitHub !== undefined) return fromGitHub;
  const problem = textProblem(text);
  if (problem !== undefined) return { reason: problem };
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) {
    const isPath = /^(?:[./~]|$)/.test(text);
    return {
      reason: isPath ? msg('catalog.addressIsPath') : msg('catalog.addressWithoutScheme'),
    };
  }
  if (!['https', 'http', 'file'].includes(scheme)) {
    return { reason: msg('catalog.addressScheme', { scheme }) };
  }
  return webAddress(text);
}

/**
 * Refuses texts that git could read as an option, a helper or two addresses, whatever the scheme.
 */
function textProblem(text: string): Message | undefined {
  if (text === '') return msg('catalog.addressEmpty');
  if (text.length > maxAddressLength) return msg('catalog.addressTooLong');
  if (text.startsWith('-')) return msg('catalog.addressStartsWithDash');
  if (/^[^/]*::/.test(text)) {
    return msg('catalog.addressForHelper');
  }
  if (/^[^/:@]+@[^/]+:/.test(text)) {
    return msg('catalog.addressOfSsh');
  }
  if (/[\p{Cc}\s\\]/u.test(text) || /%(?:[01][0-9a-f]|7f)/i.test(text)) {
    return msg('catalog.addressCharacters');
  }
  return undefined;
}

function gitHubAddress(text: string): GitAddress | undefined {
  const [, owner = '', name = ''] = onGitHub.exec(text) ?? [];
  if (owner === '') return undefined;
  const repository = name.replace(/\.git$/i, '');
  if (/^\.*$/.test(repository)) return { reason: msg('catalog.addressIncomplete') };
  return { url: `https://github.com/${owner}/${repository}.git` };
}

function webAddress(text: string): GitAddress {
  const url = /^[a-z]+:\/\//i.test(text) ? URL.parse(text) : null;
  if (url === null) return { reason: msg('catalog.addressIncomplete') };
  if (url.username !== '' || url.password !== '') {
    return { reason: msg('catalog.addressCredentials') };
  }
  if (/[?#]/.test(text)) return { reason: msg('catalog.addressQuery') };
  if (url.protocol === 'file:' && url.host !== '') {
    return { reason: msg('catalog.addressOtherComputer') };
  }
  if (url.host === 'github.com') {
    const [, owner, name] = /^\/([^/]+)\/([^/]+?)(?:\.git)?\/?$/.exec(url.pathname) ?? [];
    if (owner !== undefined && name !== undefined) url.pathname = `/${owner}/${name}.git`;
  }
  return { url: url.href };
}
