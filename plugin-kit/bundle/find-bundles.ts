import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { pageTags } from '../../service/features/plugins/packages/page-tags.ts';
import type { BundleInput } from './bundle-modules.ts';
import { isPackageName, moduleImports } from './module-imports.ts';

type Bundle = Omit<BundleInput, 'directory'>;

/**
 * How the worker is bundled: when it is written in TypeScript, or imports packages of npm. Null where
 * its files are packed as they are.
 */
export async function workerBundle(
  directory: string,
  files: readonly string[],
  workerEntry: string,
): Promise<Bundle | null> {
  const asBundle = (entry: string): Bundle => ({ entry, output: workerEntry, platform: 'node' });
  const written = files.find((path) => path === workerEntry);
  if (written === undefined) {
    const typed = typedSource(workerEntry, files);
    return typed === undefined ? null : asBundle(typed);
  }
  const modules = files.filter((path) => /^backend\/(?!plugin-kit\/).*\.[cm]?js$/.test(path));
  for (const path of modules) {
    const text = await readFile(join(directory, path), 'utf8');
    if (importsOf(text).some(isPackageName)) return asBundle(written);
  }
  return null;
}

/** A module that cannot be read is packed as it is; it is named where it is looked at. */
function importsOf(text: string): string[] {
  try {
    return moduleImports(text).map(({ specifier }) => specifier);
  } catch {
    return [];
  }
}

/** `ui/main.js` is not there, but `ui/main.ts` is. */
function typedSource(path: string, files: readonly string[]): string | undefined {
  const stem = path.replace(/\.[cm]?js$/, '');
  return files.find((file) =>
    ['.ts', '.mts', '.tsx'].some((extension) => file === stem + extension),
  );
}

/** The scripts that pages ask for and that are written in TypeScript. */
export async function pageBundles(directory: string, files: readonly string[]): Promise<Bundle[]> {
  const outputs = new Set<string>();
  for (const page of files.filter((path) => /^ui\/.*\.html?$/i.test(path))) {
    const html = await readFile(join(directory, page), 'utf8');
    for (const { address } of pageAddresses(html))
      outputs.add(posix.join(posix.dirname(page), address));
  }
  return [...outputs].sort().flatMap((output): Bundle[] => {
    const entry = files.includes(output) ? undefined : typedSource(output, files);
    return entry === undefined ? [] : [{ entry, output, platform: 'browser' }];
  });
}

/** Addresses of scripts, styles and images in a page, with the place of their tag. */
export function pageAddresses(html: string): { address: string; index: number }[] {
  return [...pageTags(html)].flatMap(({ text, index }) => {
    if (!/^<(?:script|link|img|source)\b/i.test(text)) return [];
    const found = /\s(?:src|href)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(text);
    const address = (found?.[1] ?? found?.[2] ?? found?.[3] ?? '').replace(/[?#].*$/, '');
    return address === '' ? [] : [{ address, index }];
  });
}
