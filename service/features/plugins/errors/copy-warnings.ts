import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PluginWarning } from '../../../contract/index.ts';
import { msg } from '../../../messages/index.ts';
import { manifestWarnings } from '../packages/manifest-warnings.ts';
import { pageWarnings } from '../packages/page-warnings.ts';
import type { Plugin } from '../plugin.ts';
import type { NewError } from './plugin-errors.ts';

const manifestName = 'manifest.json';

/**
 * Returns warnings about ineffective fields in the manifest of an installed plugin, and about what
 * its page may not do.
 */
export async function copyWarnings(plugin: Plugin): Promise<NewError[]> {
  const { directory, manifest, origin } = plugin;
  // The host itself creates the manifest of a plugin from git.
  if (origin !== null) return [];
  const read = (path: string): Promise<string> =>
    readFile(join(directory, path), 'utf8').catch(() => '');
  const written = parsed(await read(manifestName));
  const page = pageWarnings(manifest.ui.entry, await read(manifest.ui.entry));
  return [
    ...manifestWarnings(written, manifest).map((one) => asError(one, manifestName)),
    ...page.map((one) => asError(one, manifest.ui.entry)),
  ];
}

function asError({ path, message, text }: PluginWarning, file: string): NewError {
  const reason = text === undefined ? message : (text as ReturnType<typeof msg>);
  const line = path.startsWith(`${file}:`) ? Number(path.slice(file.length + 1)) : undefined;
  return {
    origin: 'manifest',
    level: 'warning',
    message: msg('package.fieldProblem', { path, reason }),
    place: line === undefined ? { file } : { file, line },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
