import type { PluginPlace } from '../../../contract/index.ts';
import type { Plugin } from '../../plugins/index.ts';
import type { FoundEntry } from './find-entry.ts';

/** Where the files of an installed plugin came from, or else where those of an entry would. */
export function placeOf(
  plugin: Plugin | undefined,
  found: FoundEntry | undefined,
): PluginPlace | undefined {
  const origin = plugin?.origin;
  if (origin) return gitPlace(origin);
  return found && placeOfEntry(found);
}

function placeOfEntry({ source, entry }: FoundEntry): PluginPlace | undefined {
  const from = entry.source;
  if (from.form === 'git') return gitPlace({ ...from, commit: from.sha });
  if (from.form === 'relative') {
    const { url, ref, read } = source;
    return gitPlace({ url, ref, path: from.path, commit: read?.commit ?? null });
  }
  // Where the vendor's packages lie is set by who runs the host, and may be nobody else's business.
  if (from.form === 'none' || source.builtIn) return undefined;
  const url = new URL(from.url);
  url.search = '';
  return { kind: 'package', url: url.href };
}

interface GitPlace {
  url: string;
  path: string;
  ref?: string | null;
  commit: string | null;
}

const gitPlace = ({ url, path, ref, commit }: GitPlace): PluginPlace => ({
  kind: 'git',
  url,
  ...(path === '' ? {} : { path }),
  ...(ref ? { ref } : {}),
  ...(commit === null ? {} : { commit }),
});
