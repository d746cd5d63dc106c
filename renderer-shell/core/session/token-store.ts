const KEY = 'host.token';

/** Keeps the token in memory and for reloads of this tab; never in a cookie or an address. */
export interface TokenStore {
  get(): string | null;
  set(token: string | null): void;
}

export function createTokenStore(storage: Storage): TokenStore {
  let token = quietly(() => storage.getItem(KEY)) ?? null;
  return {
    get: () => token,
    set: (next) => {
      token = next;
      quietly(() => (next === null ? storage.removeItem(KEY) : storage.setItem(KEY, next)));
    },
  };
}

/** A browser may forbid storage; the token then lives in memory alone. */
function quietly<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
