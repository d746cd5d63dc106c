const KEY = 'host.token';

/**
 * Stores the token in memory and, for reloads of this tab, in session storage; never in a cookie or
 * an address.
 */
export interface TokenStore {
  get(): string | null;
  set(token: string | null): void;
}

export function createTokenStore(storage: Storage): TokenStore {
  let token = ignoreErrors(() => storage.getItem(KEY)) ?? null;
  return {
    get: () => token,
    set: (next) => {
      token = next;
      ignoreErrors(() => (next === null ? storage.removeItem(KEY) : storage.setItem(KEY, next)));
    },
  };
}

/** A browser may forbid storage; then the token is only in memory. */
function ignoreErrors<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
