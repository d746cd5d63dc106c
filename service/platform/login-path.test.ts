import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Message } from '../messages/index.ts';
import { isAlive } from '../testing/workers/is-alive.ts';
import { createLoginPath, type LoginPath } from './login-path.ts';
import { createProcesses, type Processes } from './processes.ts';

let folder: string;
let processes: Processes;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'login shell '));
  processes = createProcesses();
});
afterEach(async () => {
  await processes.close();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** Asks a shell whose start-up consists of these lines. */
async function ask(lines: string[], limitMs?: number): Promise<LoginPath> {
  const shell = join(folder, 'shell');
  await writeFile(shell, ['#!/bin/bash', ...lines, 'eval "${@: -1}"', ''].join('\n'));
  await chmod(shell, 0o755);
  vi.stubEnv('SHELL', shell);
  return createLoginPath(processes, limitMs)();
}

const pidsIn = async (name: string): Promise<number[]> =>
  (await readFile(join(folder, name), 'utf8')).trim().split('\n').map(Number);

describe('the PATH of the login shell', () => {
  it('is set by its start-up files, whatever else they print', async () => {
    const found = await ask([
      'echo "Welcome! PATH=/wrong"; echo trouble >&2',
      'export PATH="/opt/my tools/bin:/home/me/.nvm/bin:relative::/usr/bin:/usr/bin:/bin"',
      'trap "echo bye" EXIT',
    ]);
    expect(found).toEqual({ path: '/opt/my tools/bin:/home/me/.nvm/bin:/usr/bin:/bin' });
  });

  it('is that of a real bash, from the start-up files of its user', async () => {
    await writeFile(join(folder, '.bash_profile'), 'PATH=/from/profile:$PATH; . ~/.bashrc\n');
    await writeFile(join(folder, '.bashrc'), '[[ $- == *i* ]] && PATH=/from/rc:$PATH\n');
    vi.stubEnv('HOME', folder);
    vi.stubEnv('SHELL', '/bin/bash');
    const found = await createLoginPath(processes)();
    expect(found).toEqual({
      path: expect.stringMatching(/^\/from\/rc:\/from\/profile:/) as string,
    });
  });

  it('is run as an interactive login shell, without input and without secrets', async () => {
    vi.stubEnv('MY_TOKEN', 'canary');
    await ask([
      `echo "$1 $2 $3" > "${folder}/args"`,
      `cat > "${folder}/input"`,
      `env > "${folder}/env"`,
    ]);
    expect(await readFile(join(folder, 'args'), 'utf8')).toBe('-i -l -c\n');
    expect(await readFile(join(folder, 'input'), 'utf8')).toBe('');
    expect(await readFile(join(folder, 'env'), 'utf8')).not.toContain('canary');
  });

  it('is determined once for concurrent callers', async () => {
    await writeFile(
      join(folder, 'shell'),
      `#!/bin/bash\necho $$ >> "${folder}/pids"\neval "\${@: -1}"\n`,
      { mode: 0o755 },
    );
    vi.stubEnv('SHELL', join(folder, 'shell'));
    const loginPath = createLoginPath(processes);
    const first = await Promise.all([loginPath(), loginPath()]);
    expect(new Set([...first, await loginPath()]).size).toBe(1);
    expect(await pidsIn('pids')).toHaveLength(1);
  });

  it('is abandoned after the time limit, and leaves no process of the shell', async () => {
    const found = await ask(
      [`sleep 300 & echo $! > "${folder}/pids"; echo $$ >> "${folder}/pids"`, 'wait'],
      500,
    );
    expect(found).toEqual({
      problem: expect.objectContaining({ code: 'loginShell.notInTime' }) as Message,
    });
    const pids = await pidsIn('pids');
    expect(pids).toHaveLength(2);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('is known if start-up files leave processes running, which are ended', async () => {
    const found = await ask([
      'export PATH=/mine:/bin:/usr/bin',
      `setsid sleep 300 & echo $! > "${folder}/pids"`,
      `sleep 300 & echo $! >> "${folder}/pids"`,
    ]);
    expect(found).toEqual({ path: '/mine:/bin:/usr/bin' });
    expect((await pidsIn('pids')).filter(isAlive)).toEqual([]);
  });

  it('is not searched for in 10 MB of other data', async () => {
    const found = await ask(['head -c 10000000 /dev/zero | tr "\\0" x']);
    expect(found).toEqual({
      problem: expect.objectContaining({ code: 'loginShell.noPath' }) as Message,
    });
  });

  it.each([
    ['fails', ['exit 3']],
    ['has an empty one', ['export PATH=""']],
    ['has one with a line break', ['export PATH="/a\n/b"']],
    ['has a huge one', ['export PATH="/$(printf "%040000d" 0)"']],
  ])('is not known of one that %s', async (_, lines) => {
    expect(await ask(lines)).toEqual({
      problem: expect.objectContaining({ code: 'loginShell.noPath' }) as Message,
    });
  });

  it.each(['/no/such/shell', '/usr/sbin/nologin', '/bin/false'])(
    'is not known of %s, and no error',
    async (shell) => {
      vi.stubEnv('SHELL', shell);
      const found = await createLoginPath(processes)();
      expect('problem' in found && found.problem).toMatchObject({
        code: expect.stringMatching(/^loginShell\.(?:notStarted|none)$/) as string,
      });
    },
  );
});
