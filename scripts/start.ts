import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { spawnPassing } from './spawn.ts';

/** The desktop where the Electron binary is, else the shell in a browser. Resolves with the exit code. */
export function start(args: string[]): Promise<number> {
  const electron = electronBinary();
  if (electron !== null) return spawnPassing(electron, ['.', ...withDatabase(args)]);
  return spawnPassing(process.execPath, ['.', ...inBrowser(args)]);
}

/** What the host is started with where there is no desktop. */
export const inBrowser = (args: string[]): string[] => [
  '--headless',
  '--web',
  '--reopen',
  ...withDatabase(args),
];

function withDatabase(args: string[]): string[] {
  return args.some((arg) => arg.startsWith('--setup=')) ? args : ['--setup=SQLITE', ...args];
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
