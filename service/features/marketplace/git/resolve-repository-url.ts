import { isIP } from 'node:net';
import { HostError } from '../../../core/host-error.ts';
import { checkUrl, hostOf } from '../../../platform/web/check-url.ts';
import { guardedFetch } from '../../../platform/web/guarded-fetch.ts';
import { resolveAllowed } from '../../../platform/web/resolve-allowed.ts';
import type { NetworkPolicy } from '../../../platform/web/network-policy.ts';
import { type Message, msg } from '../../../messages/index.ts';
import type { GitNetworkPolicy } from './git.ts';

const service = '/info/refs?service=git-upload-pack';
const askLimitMs = 30_000;
const maxAnswerBytes = 16 * 1024 ** 2;

/**
 * Follows redirects to the final address of a repository, and resolves its host to checked
 * addresses: git itself follows no redirects and uses no DNS. File addresses are not changed.
 * @throws HostError `address_refused`, `git_failed` and errors of a fetch
 */
export async function resolveRepositoryUrl(
  address: string,
  networkPolicy: NetworkPolicy,
  signal: AbortSignal,
): Promise<{ url: string; networkPolicy: GitNetworkPolicy }> {
  if (address.startsWith('file:'))
    return { url: address, networkPolicy: { file: true, resolved: [] } };
  const asked = address.replace(/\/+$/, '') + service;
  const answer = await guardedFetch(asked, {
    networkPolicy,
    signal,
    maxBytes: maxAnswerBytes,
    timeoutMs: askLimitMs,
    // Protocol version 2 gives a short answer, whatever the size of the repository.
    headers: { 'Git-Protocol': 'version=2' },
  });
  if (answer.status !== 200) throw noRepository(answer.status);
  // A redirect may have dropped the query.
  const url = /^(.*)\/info\/refs(?:\?service=git-upload-pack)?$/.exec(answer.url)?.[1] ?? address;
  const checked = checkUrl(url, networkPolicy);
  const found = await resolveAllowed(checked, networkPolicy);
  const port = checked.port || (checked.protocol === 'https:' ? '443' : '80');
  const addresses = found.map(({ address: ip, family }) => (family === 6 ? `[${ip}]` : ip));
  const name = hostOf(checked);
  // Some versions of curl look up a name with a trailing dot without the dot.
  const names = isIP(name) === 0 ? [name, `${name}.`] : [];
  const resolved = names.map((one) => `${one}:${port}:${addresses.join(',')}`);
  return { url, networkPolicy: { file: false, resolved } };
}

function noRepository(status: number): HostError {
  const causes: Record<number, Message> = {
    401: msg('git.signInNeeded'),
    403: msg('git.signInNeeded'),
    404: msg('git.repositoryNotPublic'),
  };
  const message = causes[status] ?? msg('git.repositoryAnswered', { status });
  return new HostError('upstream-failed', 'git_failed', message);
}
