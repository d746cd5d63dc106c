import { McpServerName } from '../../../contract/index.ts';

const maxLength = 32;

/** The name itself if it is valid, otherwise a valid name made from it. */
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

/** Adds a number to the name if it is in use. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  for (let count = 1; ; count += 1) {
    const end = count === 1 ? '' : `-${count}`;
    const candidate = `${name.slice(0, maxLength - end.length)}${end}`;
    if (!isTaken(candidate)) return candidate;
  }
}
