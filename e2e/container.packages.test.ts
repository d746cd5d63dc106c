import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildLiteDeb, type LiteDeb } from '../scripts/packages/lite-deb.ts';
import { run } from './run.ts';

/** Arguments by instruction, one for each occurrence. */
type Dockerfile = Map<string, string[]>;

function readDockerfile(): Dockerfile {
  const text = readFileSync('packaging/Dockerfile', 'utf8');
  const lines = text.split('\n').filter((line) => !line.startsWith('#'));
  const found: Dockerfile = new Map();
  for (const line of lines.join('\n').replaceAll('\\\n', ' ').split('\n')) {
    const [, name, rest] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    if (name !== undefined) found.set(name, [...(found.get(name) ?? []), rest ?? '']);
  }
  return found;
}

const dockerfile = readDockerfile();
const only = (name: string): string => {
  const [value = '', ...more] = dockerfile.get(name) ?? [];
  expect([name, more]).toEqual([name, []]);
  return value;
};
/** Parses the exec form, which runs without a shell. */
const commandOf = (text: string): string[] => JSON.parse(text.slice(text.indexOf('['))) as string[];
const environment = Object.fromEntries(
  only('ENV')
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
);

const port = '24056';
const nobody = 65_534;
const asUser = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

let folder = '';
let tree = '';
let made: LiteDeb;
const children: ChildProcess[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'container-'));
  chmodSync(folder, 0o755);
  tree = join(folder, 'tree');
  made = buildLiteDeb({ output: folder, level: 1 });
  expect(run('dpkg-deb', ['--extract', made.file, tree])).toMatchObject({ code: 0 });
});
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a command of the image from the package, with the port replaced. */
function start([program = '', ...args]: string[], ownPort: string): ChildProcess {
  const at = (path: string): string => join(folder, 'image', path);
  for (const path of Object.values(environment)) {
    mkdirSync(at(path), { recursive: true });
    chmodSync(at(path), 0o700);
    if (asUser.uid !== undefined) chownSync(at(path), nobody, nobody);
  }
  const env = Object.fromEntries(Object.entries(environment).map(([key, path]) => [key, at(path)]));
  const adapted = args.map((arg) => arg.replace(port, ownPort));
  const child = spawn(join(tree, program), adapted, {
    ...asUser,
    env: { PATH: '/usr/bin:/bin', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

const ended = async (child: ChildProcess): Promise<number | null> =>
  ((await once(child, 'exit')) as [number | null])[0];

describe('the container image', () => {
  it('contains what plugins need, and what the package recommends for a machine without a screen', () => {
    const installed = only('RUN').split(/\s+/);
    const { stdout } = run('dpkg-deb', ['--field', made.file, 'Recommends']);
    const forScreens = ['xdg-utils', 'libpangocairo-1.0-0'];
    const wanted = stdout
      .trim()
      .split(', ')
      .filter((name) => !forScreens.includes(name));
    expect(wanted).toEqual(expect.arrayContaining(['bubblewrap', 'git', 'default-jre-headless']));
    for (const name of [...wanted, 'ca-certificates']) expect(installed).toContain(name);
    expect(installed).toContain('/tmp/plugin-host-lite_*.deb');
    expect(made.file).toMatch(/\/plugin-host-lite_[^/]*\.deb$/);
  });

  it('runs as its own user, whose data is in the volume', () => {
    const user = only('USER');
    expect(user).not.toMatch(/^(root|0)\b/);
    const [, uid] = new RegExp(`useradd .*--uid (\\d+) .* ${user} `).exec(only('RUN')) ?? [];
    expect(Number(uid)).toBeGreaterThan(0);
    expect(only('VOLUME')).toBe(environment['XDG_DATA_HOME']);
    expect(only('RUN')).toMatch(
      new RegExp(
        `install --directory --owner=${user} --group=${user} --mode=700 ${only('VOLUME')}$`,
      ),
    );
  });

  it('starts by its entry point, reports the health of the host, and ends on its signal with 0', async () => {
    const entry = commandOf(only('ENTRYPOINT'));
    expect(entry).toContain(`--port=${port}`);
    const host = start(entry, '0');
    let output = '';
    host.stdout?.on('data', (bytes: Buffer) => (output += bytes.toString('utf8')));
    await expect.poll(() => output, { timeout: 60_000 }).toMatch(/^HOST_URL=/m);
    const ownPort = /^HOST_PORT=(\d+)$/m.exec(output)?.[1] ?? '';
    const check = only('HEALTHCHECK');
    expect(await ended(start(commandOf(check), ownPort))).toBe(0);
    expect(existsSync(join(folder, 'image', only('VOLUME'), 'plugin-host', '.host'))).toBe(true);
    host.kill(only('STOPSIGNAL') as NodeJS.Signals);
    expect(await ended(host)).toBe(0);
    expect(await ended(start(commandOf(check), ownPort))).toBe(1);
  });
});
