import type { McpServer } from '../definitions/server.ts';

/** Shorter ones are words such as `true`. */
const minSecretLength = 6;
const mask = '•••';

/** Takes the credentials of a server out of what is shown: servers print them, and quote them in errors. */
export function createRedactor({ env, headers, oauth }: McpServer): (text: string) => string {
  const secret = oauth?.clientSecret ?? '';
  const values = [...Object.values(env), ...Object.values(headers), secret];
  // `Bearer` and what it announces are one value; the second alone is the secret.
  const hidden = [...new Set(values.flatMap((value) => [value, ...value.split(' ')]))]
    .filter(({ length }) => length >= minSecretLength)
    .sort((one, other) => other.length - one.length);
  return (text) => hidden.reduce((redacted, value) => redacted.replaceAll(value, mask), text);
}
