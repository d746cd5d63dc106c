/** A reference to a grant in the params of a call, as a page sends it. */
export interface GrantObject {
  id: string;
  kind: unknown;
  access: unknown;
}

const grantId = /^ref_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Returns a copy of a JSON value with every grant object, at any depth, replaced by the result of
 * `replace`. An id alone stays text.
 */
export function replaceGrants(value: unknown, replace: (grant: GrantObject) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceGrants(item, replace));
  if (typeof value !== 'object' || value === null) return value;
  if (isGrant(value)) return replace(value);
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    // Keeps `__proto__` an ordinary key.
    Object.defineProperty(copy, key, {
      value: replaceGrants(item, replace),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}

function isGrant(value: object): value is GrantObject {
  const { id } = value as Partial<GrantObject>;
  const owns = (key: string): boolean => Object.hasOwn(value, key);
  return ['id', 'kind', 'access'].every(owns) && typeof id === 'string' && grantId.test(id);
}
