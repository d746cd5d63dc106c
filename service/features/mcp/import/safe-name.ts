import { McpServerName } from '../../../contract/index.ts';

const maxLength = 32;

/** The name itself where it can be one of a server, else one that is made from it. */
export function safeName(name: string): string {
  if (McpServerName.safeParse(name).success) return name;
  const safe = name
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/_{2,}/g, '_')
    .replace(/^[-_]+/, '')
    .slice(0, maxLength)
    .replace(/[-_]+$/, '');
  return safe === '' ? 'server' : safe;
}

/** The name with a number behind it where it is taken. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  for (let count = 1; ; count += 1) {
    const end = count === 1 ? '' : `-${count}`;
    const candidate = `${name.slice(0, maxLength - end.length)}${end}`;
    if (!isTaken(candidate)) return candidate;
  }
}
