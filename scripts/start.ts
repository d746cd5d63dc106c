import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { spawnPassing } from './spawn.ts';

/** The desktop where the Electron binary is, else the shell in a browser. Resolves with the exit code. */
export function start(args: string[]): Promise<number> {
  const setup = args.some((arg) => arg.startsWith('--setup=')) ? [] : ['--setup=SQLITE'];
  const electron = electronBinary();
  if (electron !== null) return spawnPassing(electron, ['.', ...setup, ...args]);
  return spawnPassing(process.execPath, [
    '.',
    '--headless',
    '--web',
    '--reopen',
    ...setup,
    ...args,
  ]);
}

function electronBinary(): string | null {
  const folder = join(
    dirname(createRequire(import.meta.url).resolve('electron/package.json')),
    'dist',
  );
  const names = { win32: 'electron.exe', darwin: 'Electron.app/Contents/MacOS/Electron' } as Record<
    string,
    string
  >;
  const binary = join(folder, names[process.platform] ?? 'electron');
  return existsSync(binary) ? binary : null;
}
