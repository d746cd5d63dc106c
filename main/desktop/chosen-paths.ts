import { isAbsolute, normalize, sep } from 'node:path';

const mostPaths = 10_000;

/**
 * Paths that a person chose since the start; the oldest are dropped beyond a limit. A chosen folder
 * includes everything in it.
 */
export class ChosenPaths {
  private readonly paths = new Set<string>();

  add(path: string): void {
    if (!isAbsolute(path)) return;
    this.paths.delete(plain(path));
    this.paths.add(plain(path));
    if (this.paths.size <= mostPaths) return;
    const [oldest] = this.paths;
    this.paths.delete(oldest as string);
  }

  has(path: string): boolean {
    if (!isAbsolute(path) || path.includes('\0') || plain(path) !== withoutEnd(path)) return false;
    const parts = plain(path).split(sep);
    return parts.some((_, count) => this.paths.has(parts.slice(0, count + 1).join(sep) || sep));
  }
}

const withoutEnd = (path: string): string =>
  path.length > 1 && path.endsWith(sep) ? path.slice(0, -1) : path;

const plain = (path: string): string => withoutEnd(normalize(path));
