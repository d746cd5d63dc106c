const maxAddressLength = 2_048;
/** `owner/repo` or its address; most addresses end here, without the slower reading of any URL. */
const onGitHub =
  /^(?:https:\/\/github\.com\/)?([a-z0-9][a-z0-9_-]{0,99})\/([a-z0-9._-]{1,100})\/?$/i;
const clonable = 'Only https, http and file addresses are cloned.';

/** An address to clone, or a sentence that says why there is none. */
export type GitAddress = { url: string } | { reason: string };

/**
 * Reads the address of a repository. `https:`, `http:` and `file:` in any case are taken and come back
 * in their normal form; `owner/repo` is one on GitHub. Addresses with a user name, a password, a query
 * or a fragment are refused: they would put secrets where everybody sees them.
 */
export function gitAddress(written: string): GitAddress {
  const text = written.trim();
  const fromGitHub = gitHubAddress(text);
  if (fromGitHub !== undefined) return fromGitHub;
  const problem = textProblem(text);
  if (problem !== undefined) return { reason: problem };
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) {
    const what = /^(?:[./~]|$)/.test(text) ? 'a path' : 'no complete address';
    return { reason: `Its repository is given by ${what}. ${clonable}` };
  }
  if (!['https', 'http', 'file'].includes(scheme)) {
    return { reason: `Its repository has an address of the kind "${scheme}:". ${clonable}` };
  }
  return webAddress(text);
}

/** What no scheme makes good: what git could take for an option, a helper or two addresses. */
function textProblem(text: string): string | undefined {
  if (text === '') return 'The address of its repository is empty.';
  if (text.length > maxAddressLength) return 'The address of its repository is too long.';
  if (text.startsWith('-')) return 'The address of its repository begins with "-".';
  if (/^[^/]*::/.test(text)) {
    return `Its repository is reached through a helper program ("::"). ${clonable}`;
  }
  if (/^[^/:@]+@[^/]+:/.test(text)) {
    return `Its repository has an SSH address ("user@host:"). ${clonable}`;
  }
  if (/[\p{Cc}\s\\]/u.test(text) || /%(?:[01][0-9a-f]|7f)/i.test(text)) {
    return 'The address of its repository has characters that an address cannot have.';
  }
  return undefined;
}

function gitHubAddress(text: string): GitAddress | undefined {
  const [, owner = '', name = ''] = onGitHub.exec(text) ?? [];
  if (owner === '') return undefined;
  const repository = name.replace(/\.git$/i, '');
  if (/^\.*$/.test(repository)) return { reason: 'The address of its repository is not complete.' };
  return { url: `https://github.com/${owner}/${repository}.git` };
}

function webAddress(text: string): GitAddress {
  const url = /^[a-z]+:\/\//i.test(text) ? URL.parse(text) : null;
  if (url === null) return { reason: 'The address of its repository is not complete.' };
  if (url.username !== '' || url.password !== '') {
    return { reason: 'The address of its repository holds a user name or a password.' };
  }
  if (/[?#]/.test(text)) return { reason: 'The address of its repository holds a "?" or a "#".' };
  if (url.protocol === 'file:' && url.host !== '') {
    return { reason: 'Its repository lies on another computer, by a file address.' };
  }
  if (url.host === 'github.com') {
    const [, owner, name] = /^\/([^/]+)\/([^/]+?)(?:\.git)?\/?$/.exec(url.pathname) ?? [];
    if (owner !== undefined && name !== undefined) url.pathname = `/${owner}/${name}.git`;
  }
  return { url: url.href };
}
