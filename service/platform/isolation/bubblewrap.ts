import type { ProcessSpec } from '../processes.ts';
import { type Box, type Boxing, insideMounts } from './box.ts';
import type { SystemTree } from './system-trees.ts';

/** Which namespaces this machine gives; found out by trial, the first that works. */
export const namespaceSets = {
  /** An own user, and no further user namespaces within. bubblewrap 0.8 and newer. */
  closed: ['--unshare-all', '--unshare-user', '--disable-userns', ...nobody()],
  user: ['--unshare-all', '--unshare-user', ...nobody()],
  /** For root on machines that give no user namespaces. */
  root: [
    '--unshare-ipc',
    '--unshare-pid',
    '--unshare-net',
    '--unshare-uts',
    '--unshare-cgroup-try',
  ],
} as const;

export type NamespaceSet = keyof typeof namespaceSets;

function nobody(): string[] {
  return ['--uid', '65534', '--gid', '65534'];
}

/** Files of the system that names and certificates are looked up with; only with the network. */
const networkFiles = [
  'resolv.conf',
  'hosts',
  'nsswitch.conf',
  'ssl/certs',
  'ca-certificates',
  'pki',
].map((name) => `/etc/${name}`);

/**
 * bubblewrap's arguments for a box: the system's trees to read, an empty /tmp, what is mounted, and
 * nothing else. The process and all that it starts end with the host.
 */
export function bubblewrapArguments(
  { cwd, box }: { cwd: string; box: Box },
  { namespaces, trees }: { namespaces: NamespaceSet; trees: readonly SystemTree[] },
): string[] {
  const mounts = [...box.mounts].sort((a, b) => a.inside.length - b.inside.length);
  const shared = box.network ? networkFiles : [];
  return [
    ...namespaceSets[namespaces].filter((flag) => !(box.network && flag === '--unshare-net')),
    ...(box.network && namespaces !== 'root' ? ['--share-net'] : []),
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...trees.flatMap(({ path, link }) =>
      link === null ? ['--ro-bind-try', path, path] : ['--symlink', link, path],
    ),
    ...shared.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
    ...mounts.flatMap(({ path, inside, writable }) => [
      writable ? '--bind' : '--ro-bind',
      path,
      inside,
    ]),
    ...(box.hidden ?? []).flatMap((path) => ['--tmpfs', insideMounts(box, path)]),
    ...['--chdir', insideMounts(box, cwd), '--remount-ro', '/'],
  ];
}

/** Variables that say nothing about the person or the machine. */
function environmentInside(spec: ProcessSpec, box: Box): Record<string, string> {
  const kept = Object.entries(spec.env).filter(([name]) => !personal.has(name));
  return {
    ...Object.fromEntries(kept),
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: box.home ?? insideMounts(box, spec.cwd),
    TMPDIR: '/tmp',
  };
}

const personal = new Set(['USER', 'LOGNAME', 'SHELL', 'TEMP', 'TMP']);

export function bubblewrapBoxing(options: {
  /** Absolute path of `bwrap`. */
  program: string;
  namespaces: NamespaceSet;
  trees: readonly SystemTree[];
}): Boxing {
  return {
    inside: insideMounts,
    wrap(spec, box) {
      const given = bubblewrapArguments({ cwd: spec.cwd, box }, options);
      return {
        ...spec,
        program: options.program,
        // By a pipe: the first process inside shows its arguments to the others there.
        args: ['--args', '3', '--', spec.program, ...spec.args],
        handedOver: given.map((argument) => `${argument}\0`).join(''),
        env: environmentInside(spec, box),
      };
    },
  };
}
