import { type Session, session } from 'electron';

/**
 * Sessions for pages of models, in memory only. Electron never frees a session, so cleared ones are
 * reused.
 */
const ofModels = new WeakSet<Session>();
let made = 0;
const free: Session[] = [];

/** Returns true if this session is for pages of models. */
export const isOfModels = (one: Session): boolean => ofModels.has(one);

/**
 * Returns an empty session whose requests all go through the given proxy on this machine.
 * Permissions, devices and downloads are refused when the session is created.
 */
export async function openModelSession(proxyServer: unknown): Promise<Session> {
  if (typeof proxyServer !== 'string' || !/^http:\/\/127\.0\.0\.1:\d+$/.test(proxyServer))
    throw new Error('Pages of models need a proxy of this machine.');
  const opened = free.pop() ?? session.fromPartition(`models-${(made += 1)}`);
  ofModels.add(opened);
  const proxyBypassRules = '<-loopback>';
  await opened.setProxy({ mode: 'fixed_servers', proxyRules: proxyServer, proxyBypassRules });
  return opened;
}

/** An address on which no proxy listens: requests of a closed session fail. */
const nowhere = 'http://127.0.0.1:1';

/** Clears all data of the session. A session that cannot be cleared is not reused. */
export async function closeModelSession(closed: Session): Promise<void> {
  await closed.setProxy({ mode: 'fixed_servers', proxyRules: nowhere });
  await closed.closeAllConnections();
  await closed.clearStorageData();
  await closed.clearCache();
  await closed.clearAuthCache();
  await closed.clearHostResolverCache();
  free.push(closed);
}
