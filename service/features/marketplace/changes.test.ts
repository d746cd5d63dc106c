import { fork } from 'node:child_process';
import { mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { installSample, invoke } from '../../testing/sample-plugin.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';
import { isAlive } from '../../testing/workers/is-alive.ts';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const installedIds = async (): Promise<string[]> =>
  (await host.client.call(api.market.list)).map((one) => one.id);

describe('changes under load', () => {
  it('uninstalling leaves no worker and no data, whatever is called meanwhile', async () => {
    const id = 'acme.busy';
    for (let round = 0; round < 5; round += 1) {
      await installSample(host, { manifest: { id } });
      let going = true;
      const pids = new Set<number>();
      const caller = async (): Promise<void> => {
        while (going) {
          const reply = await invoke(host, id, 'place').catch(() => null);
          if (reply !== null) pids.add((reply as { pid: number }).pid);
        }
      };
      const callers = [caller(), caller(), caller()];
      await expect.poll(() => pids.size).toBeGreaterThan(0);
      await host.client.call(api.market.uninstall, {
        params: { id },
        query: { deleteData: 'true' },
      });
      going = false;
      await Promise.all(callers);
      expect([...pids].filter(isAlive)).toEqual([]);
      const data = join(host.workDirectory, '.host', 'plugin-data');
      expect(await readdir(data)).not.toContain(id);
    }
  });

  it('a damaged package can be repaired by an upload, or removed', async () => {
    const id = 'acme.damaged';
    await installSample(host, { manifest: { id } });
    await host.client.call(api.market.setEnabled, { params: { id }, body: { enabled: false } });
    const manifest = join(host.workDirectory, '.host', 'plugins', id, 'manifest.json');
    for (const mend of ['upload', 'remove'] as const) {
      await writeFile(manifest, '{');
      await host.stop();
      host = await startTestHost({ workDirectory: host.workDirectory });
      expect(await installedIds()).not.toContain(id);
      if (mend === 'upload') {
        await expect(installSample(host, { manifest: { id } })).resolves.toMatchObject({
          enabled: false,
        });
      } else {
        await host.client.call(api.market.uninstall, {
          params: { id },
          query: { deleteData: 'false' },
        });
        await expect(installSample(host, { manifest: { id } })).resolves.toMatchObject({
          enabled: true,
        });
      }
    }
  });

  it('an upload that breaks off frees its space', async () => {
    const folder = `/proc/${process.pid}/fd`;
    const deleted = async (): Promise<string[]> => {
      const names = await Promise.all(
        (await readdir(folder)).map((fd) => readlink(join(folder, fd)).catch(() => '')),
      );
      return names.filter(
        (name) => name.includes(host.workDirectory) && name.endsWith('(deleted)'),
      );
    };
    const head = 'Content-Disposition: form-data; name="file"; filename="x"';
    for (let i = 0; i < 5; i += 1) {
      await host.ask('/api/plugin-market/upload', {
        method: 'POST',
        headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
        body: `--b\r\n${head}\r\n\r\nabc`,
      });
    }
    await expect.poll(deleted).toEqual([]);
  });
});

it('after a kill at any moment of an update, the old or the new version is complete and starts [PLUGIN-23]', async () => {
  const workDirectory = await mkdtemp(join(tmpdir(), 'swap-'));
  const script = join(import.meta.dirname, '..', '..', 'testing', 'updating-host.ts');
  const rounds = 6;
  try {
    for (let round = 0; round < rounds; round += 1) {
      const child = fork(script, [workDirectory], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
      await new Promise((resolve) => child.once('message', resolve));
      const killAfterMs = Math.exp(Math.random() * Math.log(250));
      await new Promise((resolve) => setTimeout(resolve, killAfterMs));
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('exit', resolve));
      const after = await startTestHost({ workDirectory });
      const [plugin] = await after.client.call(api.market.list);
      const { stamp } = JSON.parse(
        await readFile(
          join(workDirectory, '.host', 'plugins', 'acme.demo', 'ui', 'stamp.json'),
          'utf8',
        ),
      ) as { stamp: string };
      expect(plugin).toMatchObject({ id: 'acme.demo', version: stamp, enabled: false });
      expect(await readdir(join(workDirectory, '.host', 'staging'))).toEqual([]);
      await after.client.call(api.market.setEnabled, {
        params: { id: 'acme.demo' },
        body: { enabled: true },
      });
      await expect(invoke(after, 'acme.demo', 'echo', { round })).resolves.toEqual({ round });
      await after.stop();
    }
  } finally {
    await rm(workDirectory, { recursive: true, force: true });
  }
}, 300_000);
