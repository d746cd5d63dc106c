import { readFileSync } from 'node:fs';

/** Returns the newest version of a library's symbols that native files ask for; the oldest supported one without any. */
export function newestSymbol(files: readonly string[], library: string): string {
  const pattern = new RegExp(`\\0${library}_(\\d+)\\.(\\d+)(?=\\0)`, 'g');
  const newest = files
    .flatMap((file) => [...readFileSync(file, 'latin1').matchAll(pattern)])
    .map(([, major = '0', minor = '0']) => [Number(major), Number(minor)] as const)
    .sort((a, b) => a[0] - b[0] || a[1] - b[1])
    .at(-1);
  return newest === undefined ? '2.28' : newest.join('.');
}
