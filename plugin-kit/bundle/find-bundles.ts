import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { pageTags } from '../../service/features/plugins/packages/page-tags.ts';
import type { BundleInput } from './bundle-modules.ts';
import { isPackageName, moduleImports } from './module-imports.ts';

type Bundle = Omit<BundleInput, 'directory'>;

/**
 * Returns how to bundle the worker if it is written in TypeScript or imports npm packages; null if
 * its files are packed unchanged.
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

/** A module that cannot be parsed is packed unchanged; validation reports it. */
function importsOf(text: string): string[] {
  try {
    return moduleImports(text).map(({ specifier }) => specifier);
  } catch {
    return [];
  }
}

/** Returns `ui/main.ts` for `ui/main.js` if only the TypeScript file exists. */
function typedSource(path: string, files: readonly string[]): string | undefined {
  const stem = path.replace(/\.[cm]?js$/, '');
  return files.find((file) =>
    ['.ts', '.mts', '.tsx'].some((extension) => file === stem + extension),
  );
}

/** Returns the bundles of the page scripts that are written in TypeScript. */
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

/** Returns the addresses of scripts, styles and images in a page, with the offset of their tag. */
export function pageAddresses(html: string): { address: string; index: number }[] {
  return [...pageTags(html)].flatMap(({ text, index }) => {
    if (!/^<(?:script|link|img|source)\b/i.test(text)) return [];
    const found = /\s(?:src|href)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(text);
    const address = (found?.[1] ?? found?.[2] ?? found?.[3] ?? '').replace(/[?#].*$/, '');
    return address === '' ? [] : [{ address, index }];
  });
}
