import { isObject } from '../../core/is-object.ts';

const secretName =
  /(?:^|[^a-z])(?:api[-_]?key|key|token|secret|pass(?:word|wd)?|auth(?:orization)?|credentials?|cookie|pat)(?:$|[^a-z])/i;

/** Matches `apiKey` and `AccessToken`, too. */
const isSecretName = (name: string): boolean =>
  secretName.test(name.replace(/([a-z])([A-Z])/g, '$1_$2'));

/** Placeholders of editors without a value: `${env:TOKEN}`, `${input:key}`. */
const isPlaceholder = (value: unknown): boolean =>
  typeof value === 'string' && /^\s*(?:Bearer\s+)?\$\{[^}]+\}\s*$/i.test(value);

/** Returns a server without its keys, and the places where they were. */
export function withoutSecrets(server: unknown): { server: unknown; removed: string[] } {
  if (!isObject(server)) return { server, removed: [] };
  const removed: string[] = [];
  const values = (map: unknown): unknown =>
    isObject(map)
      ? Object.fromEntries(
          Object.entries(map).filter(([name, value]) => {
            const isPublic = !isSecretName(name) || isPlaceholder(value);
            if (!isPublic) removed.push(name);
            return isPublic;
          }),
        )
      : map;
  const { env, headers, oauth, args, url, baseUrl, ...rest } = server;
  const fields = {
    ...rest,
    env: values(env),
    headers: values(headers),
    oauth: values(oauth),
    args: Array.isArray(args) ? plainArguments(args, removed) : args,
    url: plainAddress(url, removed),
    baseUrl: plainAddress(baseUrl, removed),
  };
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { server: Object.fromEntries(present), removed };
}

/** Removes the values of `--api-key x` and `--token=x` together with the option. */
function plainArguments(args: readonly unknown[], removed: string[]): unknown[] {
  const remaining: unknown[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const argument = args[index];
    const [, name = '', value] = /^-{1,2}([\w-]+)(?:=(.*))?$/s.exec(String(argument)) ?? [];
    const next = value ?? args[index + 1];
    const isSecret = name !== '' && isSecretName(name) && next !== undefined;
    if (!isSecret || isPlaceholder(next)) {
      remaining.push(argument);
      continue;
    }
    removed.push(`--${name}`);
    if (value === undefined) index += 1;
  }
  return remaining;
}

function plainAddress(address: unknown, removed: string[]): unknown {
  if (typeof address !== 'string' || !URL.canParse(address)) return address;
  const url = new URL(address);
  const names = [...new Set(url.searchParams.keys())].filter(isSecretName);
  if (url.password !== '') names.push('password');
  if (names.length === 0) return address;
  for (const name of names) url.searchParams.delete(name);
  url.password = '';
  removed.push(...names);
  return url.href;
}
