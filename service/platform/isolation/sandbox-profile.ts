import {
  protectedSuffixes,
  protectedInFolder,
  protectedInGit,
  protectedNames,
} from '../../core/protected-names.ts';
import type { SandboxSpec } from './sandbox.ts';

/** Absolute paths of folders that the profile protects. */
export interface SandboxHome {
  /** The user's home. */
  home: string;
  /** `.host` of the working directory. */
  hostRoot: string;
}

/** Credentials of other programs, relative to the home. */
const credentials = [
  ...['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.config/gcloud', '.config/gh'],
  ...['.netrc', '.npmrc', '.pypirc', '.git-credentials', '.password-store'],
  ...['Library/Keychains', 'Library/Cookies', 'Library/Application Support/Google/Chrome'],
  ...['Library/Application Support/Firefox', 'Library/Messages', 'Library/Mail'],
];

const alwaysWritable = ['/private/tmp', '/private/var/folders', '/dev'];

/**
 * Returns the profile for macOS: everything is readable except credentials and the host's own
 * files, only paths of the sandbox are writable, and the network is closed by default. Of two rules
 * for a path, the later one applies.
 */
export function sandboxProfile(sandboxSpec: SandboxSpec, { home, hostRoot }: SandboxHome): string {
  const readable = sandboxSpec.mounts.map(({ path }) => path);
  const writable = sandboxSpec.mounts.filter((mount) => mount.writable).map(({ path }) => path);
  const hidden = [...credentials.map((name) => `${home}/${name}`), hostRoot];
  const lines = [
    '(version 1)',
    '(allow default)',
    `(deny file-read* file-write* ${subpaths(hidden)})`,
    '(deny file-write*)',
    `(allow file-write* ${subpaths([...alwaysWritable, ...writable])})`,
    ...(readable.length > 0 ? [`(allow file-read* ${subpaths(readable)})`] : []),
    ...(sandboxSpec.hidden ?? []).map(
      (path) => `(deny file-read* file-write* ${subpaths([path])})`,
    ),
    ...(sandboxSpec.refusesProtectedNames === true
      ? [`(deny file-write* ${protectedPaths()})`]
      : []),
    ...(sandboxSpec.network ? [] : ['(deny network*)']),
  ];
  return `${lines.join('\n')}\n`;
}

/** Matches protected names in any case, at any depth, whether they exist or not. */
function protectedPaths(): string {
  const inGit = [...protectedInGit].map((name) => `${inAnyCase('.git')}/(.*/)?${inAnyCase(name)}`);
  const inFolders = Object.entries(protectedInFolder).flatMap(([folder, names]) =>
    [...names].map((name) => inAnyCase(`${folder}/${name}`)),
  );
  const suffixes = protectedSuffixes.map((suffix) => `[^/]*${inAnyCase(suffix)}`);
  const names = [...[...protectedNames].map(inAnyCase), ...suffixes, ...inFolders, ...inGit];
  return names.map((name) => `(regex #"/${name}(/|$)")`).join(' ');
}

/** The file systems of macOS ignore case. */
const inAnyCase = (name: string): string =>
  name
    .replaceAll('.', '\\.')
    .replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

const subpaths = (paths: readonly string[]): string =>
  paths.map((path) => `(subpath ${quoted(path)})`).join(' ');

/**
 * Returns a string literal of the profile language, in which only these two characters are special.
 */
const quoted = (path: string): string => `"${path.replaceAll(/["\\]/g, '\\$&')}"`;
