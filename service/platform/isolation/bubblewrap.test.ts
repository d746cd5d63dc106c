import { describe, expect, it } from 'vitest';
import type { SandboxSpec } from './sandbox.ts';
import {
  bubblewrapArguments,
  createBubblewrapSandbox,
  type Guard,
  type NamespaceSet,
} from './bubblewrap.ts';

const trees = [
  { path: '/usr', link: null },
  { path: '/bin', link: 'usr/bin' },
];
const sandboxSpec: SandboxSpec = {
  mounts: [
    { path: '/srv/it’s "here"/plugins/a', inside: '/plugin', writable: false },
    { path: '/srv/data/a', inside: '/data', writable: true },
  ],
  network: false,
};
const guard: Guard = { processor: 'x64', launcher: true };
const argumentsOf = (
  changes: Partial<SandboxSpec> = {},
  namespaces: NamespaceSet = 'closed',
  launcher = true,
): string[] =>
  bubblewrapArguments(
    { cwd: '/srv/data/a', sandboxSpec: { ...sandboxSpec, ...changes } },
    { namespaces, trees, guard: { ...guard, launcher } },
  );
/** Groups each flag with its values. */
const grouped = (args: string[]): string[] => args.join(' ').split(/ (?=--)/);

describe('the arguments of bubblewrap', () => {
  it('are complete for a worker without network access', () => {
    expect(grouped(argumentsOf())).toEqual([
      '--unshare-all',
      '--unshare-user',
      '--disable-userns',
      '--uid 65534',
      '--gid 65534',
      '--die-with-parent',
      '--new-session',
      '--cap-drop ALL',
      '--ro-bind-try /usr /usr',
      '--symlink usr/bin /bin',
      '--proc /proc',
      '--cap-add CAP_SYS_ADMIN',
      '--cap-add CAP_SYS_CHROOT',
      '--cap-add CAP_SETPCAP',
      '--size 1048576',
      '--tmpfs /proc/1',
      '--remount-ro /proc/1',
      '--perms 0555',
      '--file 4 /.launcher',
      '--remount-ro /proc',
      '--dev /dev',
      '--size 536870912',
      '--tmpfs /dev/shm',
      '--remount-ro /dev',
      '--size 2147483648',
      '--tmpfs /tmp',
      '--bind /srv/data/a /data',
      '--ro-bind /srv/it’s "here"/plugins/a /plugin',
      '--chdir /data',
      '--remount-ro /',
    ]);
  });

  it('load the filter themselves if the launcher cannot, and grant no capability', () => {
    const args = grouped(argumentsOf({}, 'closed', false));
    expect(args).toContain('--seccomp 4');
    expect(args).toContain('--remount-ro /proc');
    expect(args.filter((one) => /cap-add|launcher/.test(one))).toEqual([]);
  });

  it.each<[NamespaceSet, boolean, string[]]>([
    ['closed', true, ['--share-net']],
    ['user', true, ['--share-net']],
    ['root', true, []],
    ['root', false, ['--unshare-net']],
    ['closed', false, []],
  ])('of the set %s open the network (%s) as asked for', (set, network, expected) => {
    const args = argumentsOf({ network }, set);
    expect(args.filter((one) => one.endsWith('-net'))).toEqual(expected);
    expect(args.includes('/etc/resolv.conf')).toBe(network);
    expect(args.includes('--unshare-all')).toBe(set !== 'root');
  });

  it('keep a mount inside another one on top of it', () => {
    const inner = { path: '/srv/files', inside: '/data/files', writable: false };
    const mounted = argumentsOf({ mounts: [inner, ...sandboxSpec.mounts] });
    expect(mounted.indexOf('/data/files')).toBeGreaterThan(mounted.indexOf('/data'));
  });
});

describe('a sandboxed command', () => {
  const sandbox = createBubblewrapSandbox({
    program: '/usr/bin/bwrap',
    namespaces: 'closed',
    trees,
    guard,
  });

  it('contains no path of the host in its arguments and variables', () => {
    const wrapped = sandbox.wrap(
      {
        program: '/usr/bin/node',
        args: ['/plugin/worker.mjs'],
        cwd: '/srv/data/a',
        env: { HOME: '/home/zoë', USER: 'zoë', PATH: '/home/zoë/bin', LANG: 'de_DE.UTF-8' },
      },
      sandboxSpec,
    );
    expect(wrapped.args).toEqual([
      ...['--args', '3', '--', '/.launcher', '/data', '/usr/bin/node', '/plugin/worker.mjs'],
    ]);
    expect(wrapped.env).toEqual({
      HOME: '/data',
      LANG: 'de_DE.UTF-8',
      PATH: '/usr/local/bin:/usr/bin:/bin',
      TMPDIR: '/tmp',
    });
    const [order] = wrapped.descriptorContents ?? [];
    expect(String(order).split('\0')).toContain('/srv/it’s "here"/plugins/a');
  });

  it.each([
    ['/srv/data/a', '/data'],
    ['/srv/data/a/database/plugin.db', '/data/database/plugin.db'],
    ['/srv/data/ab', '/srv/data/ab'],
    ['/usr/bin/java', '/usr/bin/java'],
  ])('finds %s as %s', (path, inside) => {
    expect(sandbox.inside(sandboxSpec, path)).toBe(inside);
  });
});
