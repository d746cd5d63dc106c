import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { buildPluginClient } from '../../plugin-kit/plugin-client/build.ts';
import type { FakeDirectories } from './fake-service.ts';

export interface BuiltShell extends FakeDirectories {
  remove(): Promise<void>;
}

/** Builds the shell and the plugin client as they are shipped, into a temporary directory. */
export async function buildShell(): Promise<BuiltShell> {
  const directory = await mkdtemp(join(tmpdir(), 'built-shell-'));
  const shell = join(directory, 'shell');
  const client = join(directory, 'client');
  await build({
    configFile: join(import.meta.dirname, '../vite.config.ts'),
    build: { outDir: shell },
    logLevel: 'warn',
  });
  await buildPluginClient({ outputDirectory: client });
  return { shell, client, remove: () => rm(directory, { recursive: true, force: true }) };
}
