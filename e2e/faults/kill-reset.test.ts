import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getProperties } from 'properties-file';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ServiceError } from '../../service/client/index.ts';
import { api } from '../../service/contract/index.ts';
import { faultRounds } from '../../service/testing/faults/fault-rounds.ts';
import {
  type HostWorkspace,
  createHostWorkspace,
} from '../../service/testing/faults/host-process.ts';

const rounds = faultRounds({ short: 8, long: 60 });
const keys = [
  'db.type',
  'db.url',
  'db.driver',
  'db.dialect',
  'db.username',
  'db.password',
  'db.file.path',
];

let hostDir: HostWorkspace;
beforeAll(async () => {
  hostDir = await createHostWorkspace({ spare: true });
});
afterAll(() => hostDir.cleanUp());

const isWhole = (text: string): void => expect(Object.keys(getProperties(text))).toEqual(keys);

/** Ignores a failure that was caused by the killed host, and no other. */
const orKilled = async <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (error instanceof ServiceError && error.problem.code === 'unreachable') return null;
    throw error;
  });

it('a host that is killed while the database is reset has a complete configuration, in place or as a backup (R-03) [SETUP-15]', async () => {
  const { dataSource, config } = hostDir.paths;
  for (let round = 0; round < rounds; round += 1) {
    const { client, kill, mode } = await hostDir.start();
    if (mode === 'SETUP') await client.call(api.setup.initialize, { body: { type: 'SQLITE' } });
    const original = await readFile(dataSource, 'utf8');
    isWhole(original);
    const reset = orKilled(client.call(api.settings.resetDatabase));
    // From immediately to after the reset has finished.
    for (let turn = 0; turn < (round % 8) * 3; turn += 1) await client.call(api.host.health);
    await kill();
    const done = await reset;
    const names = (await readdir(config)).filter((name) => name.startsWith('datasource'));
    const texts = await Promise.all(names.map((name) => readFile(join(config, name), 'utf8')));
    expect(texts).toContain(original);
    for (const text of texts) isWhole(text);
    if (done !== null) expect(names).not.toContain('datasource.properties');
  }
}, 3_600_000);
