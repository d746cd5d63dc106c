import { type Session, session } from 'electron';

/** Sessions of models, in memory alone. They live as long as the app, so a cleared one is used again. */
const ofModels = new WeakSet<Session>();
let made = 0;
const free: Session[] = [];

/** Whether pages of this session belong to models. */
export const isOfModels = (one: Session): boolean => ofModels.has(one);

/**
 * A session without a past, all of whose requests go to that proxy of this machine. What every session
 * is refused (permissions, devices, downloads) it is refused when it is made.
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

/** Where no proxy listens. */
const nowhere = 'http://127.0.0.1:1';

/** Forgets all that is in it. One that cannot be cleared is not used again. */
export async function closeModelSession(closed: Session): Promise<void> {
  await closed.setProxy({ mode: 'fixed_servers', proxyRules: nowhere });
  await closed.closeAllConnections();
  await closed.clearStorageData();
  await closed.clearCache();
  await closed.clearAuthCache();
  await closed.clearHostResolverCache();
  free.push(closed);
}
