import type { McpServer } from '../definitions/server.ts';

/** Shorter ones are words such as `true`. */
const shortestHidden = 6;
const shownInstead = '•••';

/** Takes the credentials of a server out of what is shown: servers print them, and quote them in errors. */
export function hiderOf({ env, headers, oauth }: McpServer): (text: string) => string {
  const secret = oauth?.clientSecret ?? '';
  const values = [...Object.values(env), ...Object.values(headers), secret];
  // `Bearer` and what it announces are one value; the second alone is the secret.
  const hidden = [...new Set(values.flatMap((value) => [value, ...value.split(' ')]))]
    .filter(({ length }) => length >= shortestHidden)
    .sort((one, other) => other.length - one.length);
  return (text) => hidden.reduce((left, value) => left.replaceAll(value, shownInstead), text);
}
