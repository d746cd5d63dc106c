import type { Session } from 'electron';

/** Blocks all requests of the session except to the shell's scheme and the service. */
export function lockNetwork(session: Session, serviceUrl: () => string): void {
  session.webRequest.onBeforeRequest(({ url }, answer) =>
    answer({ cancel: !mayRequest(url, serviceUrl()) }),
  );
}

export function mayRequest(address: string, serviceUrl: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, host, origin } = new URL(address);
  if (protocol === 'app:') return host === 'shell';
  if (protocol === 'data:' || protocol === 'blob:') return true;
  return serviceUrl !== '' && origin === serviceUrl;
}
