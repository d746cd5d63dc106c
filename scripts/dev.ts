import { build } from './build.ts';
import { spawnPassing } from './spawn.ts';
import { prepareStart } from './system-packages.ts';

/** Runs the service from its sources and rebuilds the shell; both restart on a change. */
export async function dev(args: string[]): Promise<number> {
  prepareStart();
  await build();
  const shell = spawnPassing(process.execPath, [
    'node_modules/vite/bin/vite.js',
    'build',
    '--watch',
    '--config',
    'renderer-shell/vite.config.ts',
  ]);
  const service = spawnPassing(process.execPath, [
    '--watch-path=service',
    '--watch-path=main',
    'main/index.ts',
    '--headless',
    '--web',
    '--setup=SQLITE',
    ...args,
  ]);
  return Promise.race([shell, service]);
}
