import { randomBytes } from 'node:crypto';
import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Client, ServiceError } from '../service/client/index.ts';
import { api } from '../service/contract/index.ts';
import { createHosts } from './built-host.ts';
import { examplePackage, packExample } from './example-package.ts';
import { canMount, onTmpfs } from './on-tmpfs.ts';

const hosts = createHosts();
afterEach(() => hosts.cleanUp());

/** Writes until the disk is full. */
async function fill(file: string): Promise<void> {
  for (let bytes = 1024 * 1024; bytes >= 1; bytes = Math.floor(bytes / 4)) {
    for (;;) {
      const failed = await appendFile(file, Buffer.alloc(bytes)).then(
        () => false,
        (error: unknown) => {
          if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return true;
          throw error;
        },
      );
      if (failed) break;
    }
  }
}

const problemOf = async (call: Promise<unknown>): Promise<{ status: number; code: string }> => {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ServiceError);
  const { status, code } = (error as ServiceError).problem;
  return { status, code };
};

const notify = (client: Client, title: string, body = ''): Promise<unknown> =>
  client.call(api.notifications.create, { body: { source: 'host', level: 'info', title, body } });

describe.runIf(canMount)('a full disk', () => {
  it('is reported to every writer, loses nothing, and recovers as soon as there is space', async () => {
    const folder = await hosts.makeFolder();
    const args = ['--port=0', '--setup=SQLITE', `--work-dir=${folder}`];
    const host = await hosts.start({ args, wrap: onTmpfs(folder, 'size=32m') });
    const client = await host.client();
    const upload = async (version: string): Promise<unknown> =>
      client.call(api.market.upload, {
        file: await packExample({ version, payload: randomBytes(3 * 1024 * 1024) }),
        fileName: 'sample.plugin',
      });
    await upload('1.0.0');
    await notify(client, 'Before');

    const filler = join('/proc', String(host.pid), 'root', folder, 'filler');
    await fill(filler);
    expect(await problemOf(upload('2.0.0'))).toEqual({ status: 507, code: 'disk_full' });
    // One row may still fit into allocated pages of the database; a few large ones do not.
    const large = async (): Promise<void> => {
      for (let row = 0; row < 100; row += 1) await notify(client, 'During', 'x'.repeat(4_000));
    };
    expect(await problemOf(large())).toEqual({ status: 507, code: 'disk_full' });
    expect(await client.call(api.host.health)).toEqual({ status: 'ok' });
    const version = async (): Promise<string> =>
      (await client.call(api.plugins.show, { params: { id: examplePackage.id } })).version;
    expect(await version()).toBe('1.0.0');
    const titles = async (): Promise<string[]> =>
      (await client.call(api.notifications.list, { query: { limit: '100' } })).map(
        ({ title }) => title,
      );
    expect((await titles()).at(-1)).toBe('Before');

    await rm(filler);
    await upload('2.0.0');
    expect(await version()).toBe('2.0.0');
    await notify(client, 'After');
    expect((await titles())[0]).toBe('After');
    expect((await titles()).at(-1)).toBe('Before');
    expect(await host.stop()).toEqual({ code: 0, signal: null });
  });

  it('at the start ends the host with a message, and the next start works', async () => {
    const folder = await hosts.makeFolder();
    const full = `dd if=/dev/zero of="$0/filler" bs=64k 2>/dev/null; "$@"; echo "code $?" >&2; rm "$0/filler"; exec "$@"`;
    const wrap = [...onTmpfs(folder, 'size=4m'), 'sh', '-c', full, folder];
    const args = ['--port=0', `--work-dir=${folder}`];
    const host = await hosts.start({ args, wrap });
    expect(Number(await host.value('HOST_PORT'))).toBeGreaterThan(0);
    expect(host.stderr()).toMatch(/^The disk of the working directory .+ is full\. .+\.\ncode 1\n/);
  });

  it('at a start of a host with a database does not open the setup, and the next start works', async () => {
    const folder = await hosts.makeFolder();
    // Leaves a few free pages, as a plugin could: too little for the database.
    const fill = `dd if=/dev/zero of="$0/filler" bs=1k 2>/dev/null; truncate -s -4096 "$0/filler"`;
    const stopped = `"$@" & until [ -e "$0/go" ]; do sleep 0.05; done; kill $!; wait $!`;
    const script = `${stopped}; ${fill}; "$@"; echo "code $?" >&2; rm "$0/filler"; exec "$@"`;
    const wrap = [...onTmpfs(folder, 'size=12m'), 'sh', '-c', script, folder];
    const args = ['--port=0', '--setup=SQLITE', `--work-dir=${folder}`];
    const host = await hosts.start({ args, wrap });
    await host.value('HOST_PORT');
    const inside = join('/proc', String(host.pid), 'root', folder);
    await (await host.client()).call(api.settings.put, { body: { theme: 'dark' } });
    await appendFile(join(inside, 'go'), '');
    const ports = (): string[] => host.stdout().match(/^HOST_PORT=\d+$/gm) ?? [];
    await expect.poll(() => ports().length, { timeout: 60_000 }).toBeGreaterThan(1);
    await expect.poll(() => host.stderr(), { timeout: 60_000 }).toMatch(/^code \d+$/m);
    expect(host.stderr()).toMatch(/The service cannot start: The disk of the database is full\./);
    expect(host.stderr()).toMatch(/^code 1$/m);
    const last = async (): Promise<unknown> => {
      const port = ports().at(-1)?.split('=')[1];
      const answer = await fetch(`http://127.0.0.1:${port}/api/setup/status`);
      return answer.json();
    };
    await expect.poll(last, { timeout: 60_000 }).toMatchObject({ initialized: true });
  });
});
