import type { McpServer } from '../definitions/server.ts';

/** Shorter values are words such as `true`. */
const minSecretLength = 6;
const mask = '•••';

/**
 * Returns a function that removes the credentials of a server from texts: servers print them and
 * quote them in errors.
 */
export function createRedactor({ env, headers, oauth }: McpServer): (text: string) => string {
  const secret = oauth?.clientSecret ?? '';
  const values = [...Object.values(env), ...Object.values(headers), secret];
  // In `Bearer <token>`, the second word alone is the secret.
  const hidden = [...new Set(values.flatMap((value) => [value, ...value.split(' ')]))]
    .filter(({ length }) => length >= minSecretLength)
    .sort((one, other) => other.length - one.length);
  return (text) => hidden.reduce((redacted, value) => redacted.replaceAll(value, mask), text);
}
