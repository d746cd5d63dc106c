import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import { HostError } from '../../../core/host-error.ts';
import { findProgram } from '../../find-program.ts';
import { msg } from '../../../messages/index.ts';

const maxEntries = 5_000;

/** Folders of the program menu, and the suffix of its files. */
export interface ProgramMenu {
  folders: readonly string[];
  suffix: string;
}

export function menuOf(platform: NodeJS.Platform, env = process.env): ProgramMenu {
  if (platform === 'win32') {
    const above = [env['ProgramData'], env['APPDATA']].filter((one) => one !== undefined);
    const programsPath = ['Microsoft', 'Windows', 'Start Menu', 'Programs'];
    return { folders: above.map((folder) => join(folder, ...programsPath)), suffix: '.lnk' };
  }
  const roots = ['/Applications', '/System/Applications', join(homedir(), 'Applications')];
  return { folders: roots.flatMap((root) => [root, join(root, 'Utilities')]), suffix: '.app' };
}

/**
 * Returns the menu file with that name, otherwise a program on the PATH. @throws HostError
 * `unknown_app`
 */
export async function installedProgram(app: string, menu: ProgramMenu): Promise<string> {
  const name = app.trim();
  const isName = name !== '' && basename(name) === name && !/[\\/:*?"<>|]/.test(name);
  if (!isName) throw unknownApp(app);
  const searched = name.toLowerCase();
  for (const folder of menu.folders.filter((one) => isAbsolute(one)))
    for (const path of await entriesOf(folder, menu.suffix)) {
      const file = basename(path).toLowerCase();
      if (file === searched || file === `${searched}${menu.suffix}`) return path;
    }
  const program = menu.suffix === '.lnk' ? await findProgram(name) : null;
  if (program === null) throw unknownApp(app);
  return program;
}

/**
 * The Windows menu has folders. A macOS app is itself a folder, and its contents are not entries.
 */
async function entriesOf(folder: string, suffix: string): Promise<string[]> {
  const options = { recursive: suffix === '.lnk', withFileTypes: true } as const;
  const entries = await readdir(folder, options).catch(() => []);
  return entries
    .filter(({ name }) => name.toLowerCase().endsWith(suffix))
    .slice(0, maxEntries)
    .map(({ parentPath, name }) => join(parentPath, name));
}

function unknownApp(app: string): HostError {
  const message = msg('computer.unknownMenuApp', { app: app.slice(0, 100) });
  return new HostError('missing', 'unknown_app', message);
}
