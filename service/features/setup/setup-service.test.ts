import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DataSourceFile } from '../../platform/database/data-source-file.ts';
import { createEngines } from '../../platform/database/engines.ts';
import { createSecrets } from '../../platform/secrets.ts';
import { SetupService, type SetupServiceOptions } from './setup-service.ts';

it('while one service leaves APP mode, the service of SETUP mode changes nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'setup-service-'));
  const dataSource = new DataSourceFile(
    join(folder, 'datasource.properties'),
    createSecrets('a key of this machine'),
    folder,
  );
  const leaving = Promise.withResolvers<void>();
  let entered = 0;
  const options: SetupServiceOptions = {
    dataSource,
    folders: { workDirectory: folder, database: folder },
    state: () => ({ mode: 'SETUP' }),
    async enterApp() {
      entered += 1;
    },
    enterSetup: () => leaving.promise,
    change: { running: false },
    engines: createEngines(),
  };
  const [old, fresh] = [new SetupService(options), new SetupService(options)];
  const clearing = old.clear();
  const busy = { kind: 'conflict', code: 'change_in_progress' };
  const choice = { type: 'SQLITE', params: {} } as const;
  await expect(fresh.initialize(choice)).rejects.toMatchObject(busy);
  await expect(fresh.continue()).rejects.toMatchObject(busy);
  await expect(fresh.clear()).rejects.toMatchObject(busy);
  expect(await fresh.test(choice)).toMatchObject({ success: true });
  leaving.resolve();
  await clearing;
  await fresh.initialize(choice);
  expect(entered).toBe(1);
  await rm(folder, { recursive: true });
});
