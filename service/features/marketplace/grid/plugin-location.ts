import type { PluginLocation } from '../../../contract/index.ts';
import type { Plugin } from '../../plugins/index.ts';
import type { FoundEntry } from './find-entry.ts';

/** The origin of an installed plugin's files, or where those of an entry would come from. */
export function locationOf(
  plugin: Plugin | undefined,
  found: FoundEntry | undefined,
): PluginLocation | undefined {
  const origin = plugin?.origin;
  if (origin) return gitLocation(origin);
  return found && locationOfEntry(found);
}

function locationOfEntry({ source, entry }: FoundEntry): PluginLocation | undefined {
  const from = entry.source;
  if (from.form === 'git') return gitLocation({ ...from, commit: from.sha });
  if (from.form === 'relative') {
    const { url, ref, read } = source;
    return gitLocation({ url, ref, path: from.path, commit: read?.commit ?? null });
  }
  // The operator chooses where built-in packages are, and that location may be private.
  if (from.form === 'none' || source.builtIn) return undefined;
  const url = new URL(from.url);
  url.search = '';
  return { kind: 'package', url: url.href };
}

interface GitLocation {
  url: string;
  path: string;
  ref?: string | null;
  commit: string | null;
}

const gitLocation = ({ url, path, ref, commit }: GitLocation): PluginLocation => ({
  kind: 'git',
  url,
  ...(path === '' ? {} : { path }),
  ...(ref ? { ref } : {}),
  ...(commit === null ? {} : { commit }),
});
