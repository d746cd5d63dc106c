import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach } from 'vitest';
import { api, type PluginDetails } from '../../contract/index.ts';
import { startTestHost, type TestHost } from '../test-host.ts';
import { useForFile } from '../use-for-file.ts';
import { type GitServer, startGitServer } from './git-server.ts';
import { pluginHistory, type PluginHistory } from './plugin-history.ts';
import type { StaticServer } from './static-server.ts';
import { startStaticServer } from './static-server.ts';

/** A host with a catalog server and a Git server. */
export interface GitStore {
  /** Tests may replace it by a new start. */
  host: TestHost;
  /** Serves the catalogs. */
  web: StaticServer;
  /** Serves `history` as `plugins`; its answers are reset after each test. */
  server: GitServer;
  history: PluginHistory;
  install(id: string): Promise<unknown>;
  details(id: string): Promise<PluginDetails>;
  uninstall(id: string): Promise<unknown>;
  /** Returns the commit name in the skill of an installed plugin. */
  textOf(id: string): Promise<string>;
}

/** Provides a host with a catalog server and a Git server to the tests of a file. */
export async function useGitStore(): Promise<GitStore> {
  const history = await pluginHistory();
  await useForFile(Promise.resolve(history.repository));
  const server = await useForFile(startGitServer({ plugins: history.repository }));
  const web = await useForFile(startStaticServer());
  const store: GitStore = {
    host: await startTestHost(),
    web,
    server,
    history,
    install: (id) => store.host.client.call(api.market.install, { params: { id } }),
    details: (id) => store.host.client.call(api.market.details, { params: { id } }),
    uninstall: (id) =>
      store.host.client.call(api.market.uninstall, {
        params: { id },
        query: { deleteData: 'true' },
      }),
    async textOf(id) {
      const skill = join(store.host.paths.plugins, id, 'skills/sum/SKILL.md');
      return (await readFile(skill, 'utf8')).split('\n')[4] ?? '';
    },
  };
  afterEach(() => {
    server.instead = () => false;
  });
  afterAll(() => store.host.close());
  return store;
}
