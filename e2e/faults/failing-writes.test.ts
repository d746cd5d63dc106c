import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../service/contract/index.ts';
import { SqliteConnection } from '../../service/platform/database/sqlite-file.ts';
import {
  failEachWrite,
  type FailedRound,
  type WritingOperation,
} from '../../service/testing/faults/failing-writes.ts';
import { faultRounds, report } from '../../service/testing/faults/fault-rounds.ts';
import {
  type HostWorkspace,
  type HostProcess,
  createHostWorkspace,
} from '../../service/testing/faults/host-process.ts';
import { snapshot } from '../../service/testing/package-trees.ts';
import { packPlugin } from '../../service/testing/packages.ts';

/** Every n-th write fails in the short form, each one in the long form. */
const stride = faultRounds({ short: 3, long: 1 });
const params = { id: 'acme.demo' };

let hostDir: HostWorkspace;
let host: HostProcess;
beforeAll(async () => {
  hostDir = await createHostWorkspace({ preloads: ['fail-writes'] });
  host = await hostDir.start();
});
afterAll(() => hostDir.cleanUp());

/** A number that differs in each run of an operation. */
let count = 0;
const stored = { settings: [0, 0], version: 0, file: '' };

const isInApp = async (): Promise<boolean> =>
  (await host.client.call(api.setup.status)).initialized;
const configNames = async (): Promise<string[]> =>
  (await readdir(hostDir.paths.config)).filter((name) => name !== '.machineid');
const plainNames = /^datasource\.properties(\.bak(\.\d+)?)?$/;

async function backToSetup(): Promise<void> {
  if (await isInApp()) await host.client.call(api.settings.resetDatabase);
}

const initialize: WritingOperation = {
  name: 'set-up',
  async prepare() {
    await backToSetup();
    count += 1;
  },
  // A new file each time, so that its tables are created too.
  run: () =>
    host.client.call(api.setup.initialize, {
      body: { type: 'SQLITE', params: { filePath: `.host/database/at-${count}.db` } },
    }),
  async checkUndone() {
    expect(await isInApp()).toBe(false);
    expect(await configNames()).not.toContain('datasource.properties');
    for (const name of await configNames()) expect(name).toMatch(plainNames);
  },
  async checkDone() {
    expect(await isInApp()).toBe(true);
    stored.file = `at-${count}.db`;
    expect(await readFile(hostDir.paths.dataSource, 'utf8')).toContain(stored.file);
    for (const name of await configNames()) expect(name).toMatch(plainNames);
    const notifications = await host.client.call(api.notifications.list);
    // Each round uses another database.
    expect(notifications.filter(({ code }) => code !== 'database_changed')).toEqual([]);
  },
};

async function enterApp(): Promise<void> {
  if (await isInApp()) return;
  await initialize.prepare();
  await initialize.run();
  await initialize.checkDone();
}

const settings: WritingOperation = {
  name: 'settings',
  async prepare() {
    stored.settings = await settingsCount();
    count += 1;
  },
  run: () =>
    host.client.call(api.settings.put, {
      body: { workspaceDirectory: `/jobs/${count}`, pinnedPlugins: [String(count)] },
    }),
  async checkUndone() {
    expect(await settingsCount()).toEqual(stored.settings);
    expect(await storedSettings()).toEqual(stored.settings);
  },
  async checkDone() {
    expect(await settingsCount()).toEqual([count, count]);
  },
};

async function settingsCount(): Promise<number[]> {
  const { workspaceDirectory, pinnedPlugins } = await host.client.call(api.settings.get);
  return [Number(workspaceDirectory.slice('/jobs/'.length)), Number(pinnedPlugins[0] ?? 0)];
}

/** Returns the settings that a newly started host would read. */
async function storedSettings(): Promise<number[]> {
  const file = join(hostDir.paths.database, stored.file);
  const connection = await SqliteConnection.open(file, { create: false, pragmas: '' });
  const rows = await connection.rows<{ name: string; value: string }>('SELECT * FROM settings');
  await connection.end();
  const values = Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value)]));
  const { workspaceDirectory = '', pinnedPlugins = [] } = values as {
    workspaceDirectory?: string;
    pinnedPlugins?: string[];
  };
  return [Number(workspaceDirectory.slice('/jobs/'.length)), Number(pinnedPlugins[0] ?? 0)];
}

const newestTitle = async (): Promise<string | undefined> =>
  (await host.client.call(api.notifications.list, { query: { limit: '1' } }))[0]?.title;

const notification: WritingOperation = {
  name: 'notification',
  async prepare() {
    count += 1;
  },
  run: () =>
    host.client.call(api.notifications.create, {
      body: { source: 'host', level: 'info', title: `notification ${count}` },
    }),
  async checkUndone() {
    expect(await newestTitle()).not.toBe(`notification ${count}`);
  },
  async checkDone() {
    expect(await newestTitle()).toBe(`notification ${count}`);
  },
};

async function upload(version: number): Promise<void> {
  const text = `version ${version} `.repeat(300);
  const bytes = await packPlugin({
    manifest: { version: `${version}.0.0` },
    files: { 'ui/text.txt': text },
  });
  await host.client.call(api.market.upload, { file: new Blob([new Uint8Array(bytes)]) });
}

/**
 * Returns the installed version after checking that it is complete; null if the plugin is not
 * installed.
 */
async function installed(): Promise<number | null> {
  const [plugin] = await host.client.call(api.plugins.list);
  const names = await readdir(hostDir.paths.plugins);
  if (plugin === undefined) {
    expect(names).toEqual(['.installed.json']);
    return null;
  }
  const tree = await snapshot(join(hostDir.paths.plugins, params.id));
  expect(Object.keys(tree)).toHaveLength(6);
  const version = Number.parseInt(plugin.version);
  const text = await readFile(join(hostDir.paths.plugins, params.id, 'ui', 'text.txt'), 'utf8');
  expect(text).toBe(`version ${version} `.repeat(300));
  return version;
}

const uninstall = (): Promise<unknown> =>
  host.client.call(api.market.uninstall, { params, query: { deleteData: 'true' } });

const install: WritingOperation = {
  name: 'installation',
  async prepare() {
    if ((await installed()) !== null) await uninstall();
    count += 1;
  },
  run: () => upload(count),
  async checkUndone() {
    expect(await installed()).toBeNull();
  },
  async checkDone() {
    expect(await installed()).toBe(count);
    stored.version = count;
  },
};

const update: WritingOperation = {
  ...install,
  name: 'update',
  async prepare() {
    if ((await installed()) === null) {
      await upload((count += 1));
      stored.version = count;
    }
    count += 1;
  },
  async checkUndone() {
    expect(await installed()).toBe(stored.version);
  },
};

const removal: WritingOperation = {
  name: 'removal',
  async prepare() {
    if ((await installed()) === null) await upload((count += 1));
    stored.version = count;
  },
  run: uninstall,
  async checkUndone() {
    expect(await installed()).toBe(stored.version);
  },
  async checkDone() {
    expect(await installed()).toBeNull();
  },
};

const reset: WritingOperation = {
  name: 'reset of the database',
  async prepare() {
    await enterApp();
  },
  run: () => host.client.call(api.settings.resetDatabase),
  async checkUndone() {
    expect(await isInApp()).toBe(true);
    expect(await readFile(hostDir.paths.dataSource, 'utf8')).toContain(stored.file);
  },
  async checkDone() {
    expect(await isInApp()).toBe(false);
    expect(await configNames()).not.toContain('datasource.properties');
    for (const name of await configNames()) expect(name).toMatch(plainNames);
  },
};

/** Statuses that each error may lead to; 409 and 422 are the operation's own refusals. */
const statuses = { EIO: [409, 422, 500, 503], ENOSPC: [409, 422, 507] };

function expectClear({ operation, plan, failed, problem }: FailedRound): void {
  const where = `${operation}, ${plan.code} at write ${plan.failAt} (${failed.join()})`;
  expect(statuses[plan.code], `${where}: ${JSON.stringify(problem)}`).toContain(problem.status);
  expect(problem.detail, where).toMatch(/^[A-Z].+\.$/);
  expect(problem.detail, where).not.toMatch(/SQLITE|EIO|ENOSPC|[\\/]\w+[\\/]/);
  if (plan.code === 'ENOSPC') expect(problem.detail, where).toMatch(/full/);
}

describe.each(['EIO', 'ENOSPC'] as const)('a write that fails with %s', (code) => {
  it.each(
    [initialize, settings, notification, install, update, removal, reset].map(
      (one) => [one.name, one] as const,
    ),
  )(
    'is reported, changes nothing, and the next attempt succeeds: %s',
    async (_, operation) => {
      if (operation !== initialize) await enterApp();
      const failures = await failEachWrite(host, operation, { code, first: 1, stride });
      report(`${operation.name}: ${failures.length} failures told (${code})`);
      // Removal writes nothing that a full disk could prevent.
      const expected = operation === removal && code === 'ENOSPC' ? 0 : 1;
      expect(failures.length).toBeGreaterThanOrEqual(expected);
      for (const one of failures) expectClear(one);
    },
    600_000,
  );

  it('leaves nothing in staging after a restart of the host', async () => {
    await host.stop();
    host = await hostDir.start();
    await expect.poll(() => readdir(hostDir.paths.staging)).toEqual([]);
    for (const name of await configNames()) expect(name).toMatch(plainNames);
  });
});
