import { readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { HostError } from '../../core/host-error.ts';
import { msg } from '../../messages/index.ts';

/**
 * A program of the desktop menu, from its `.desktop` file (freedesktop.org Desktop Entry
 * Specification).
 */
interface Entry {
  id: string;
  names: string[];
  exec: string;
  needsTerminal: boolean;
}

const maxEntries = 2_000;
const maxFileBytes = 256 * 1_024;

/** Finds the entry with that id, or that name in any language; null if there is none. */
export async function findEntry(app: string, folders = menuFolders()): Promise<Entry | null> {
  const searched = app.trim().toLowerCase();
  let byName: Entry | null = null;
  for (const folder of folders) {
    for (const entry of await entriesIn(folder)) {
      if (entry.id.toLowerCase() === searched.replace(/\.desktop$/, '')) return entry;
      if (entry.names.some((name) => name.toLowerCase() === searched)) byName ??= entry;
    }
  }
  return byName;
}

function menuFolders(): string[] {
  const own = process.env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share');
  const shared = process.env['XDG_DATA_DIRS'] || '/usr/local/share:/usr/share';
  return [own, ...shared.split(delimiter)]
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, 'applications'));
}

async function entriesIn(folder: string): Promise<Entry[]> {
  const files = await readdir(folder).catch(() => []);
  const entries = files
    .filter((file) => file.endsWith('.desktop'))
    .slice(0, maxEntries)
    .map(async (file) => {
      const text = await readFile(join(folder, file), 'utf8').catch(() => '');
      return text.length > maxFileBytes ? null : readEntry(file.slice(0, -'.desktop'.length), text);
    });
  return (await Promise.all(entries)).filter((entry) => entry !== null);
}

function readEntry(id: string, text: string): Entry | null {
  const [, part = ''] = text.split(/^\[Desktop Entry\]\s*$/m);
  const [lines = ''] = part.split(/^\[/m);
  const values = [...lines.matchAll(/^([A-Za-z-]+)(\[[^\]\n]*\])?[ \t]*=[ \t]*(.*?)[ \t]*$/gm)];
  const valueOf = (key: string): string =>
    values.find(([, name, language]) => name === key && language === undefined)?.[3] ?? '';
  if (valueOf('Exec') === '' || valueOf('Hidden') === 'true') return null;
  const names = values.flatMap(([, name, , value = '']) => (name === 'Name' ? [value] : []));
  return { id, names, exec: valueOf('Exec'), needsTerminal: valueOf('Terminal') === 'true' };
}

/**
 * Returns program and arguments of an entry, without the placeholders for files. No shell is
 * involved.
 * @throws HostError `needs_terminal`
 */
export function commandOf({ id, exec, needsTerminal }: Entry): string[] {
  if (needsTerminal) {
    const message = msg('computer.needsTerminal', { app: id });
    throw new HostError('conflict', 'needs_terminal', message);
  }
  const words = [...exec.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? '',
  );
  return words
    .filter((word) => !/^%[fFuUdDnNickvm]$/.test(word))
    .map((word) => word.replaceAll(/%(.)/g, (_, letter: string) => (letter === '%' ? '%' : '')));
}
