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

/** Where other programs keep what opens doors. Below the home. */
const credentials = [
  ...['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.config/gcloud', '.config/gh'],
  ...['.netrc', '.npmrc', '.pypirc', '.git-credentials', '.password-store'],
  ...['Library/Keychains', 'Library/Cookies', 'Library/Application Support/Google/Chrome'],
  ...['Library/Application Support/Firefox', 'Library/Messages', 'Library/Mail'],
];

const alwaysWritable = ['/private/tmp', '/private/var/folders', '/dev'];

/**
 * The profile for macOS: everything may be read but credentials and the host's own files, written is
 * only where the box says, and the network is closed unless it says otherwise. Of two rules for one
 * path the later one holds.
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

/** By name in any case of letters, at any depth, whether it is there or not. */
function protectedPaths(): string {
  const inGit = [...protectedInGit].map((name) => `${inAnyCase('.git')}/(.*/)?${inAnyCase(name)}`);
  const inFolders = Object.entries(protectedInFolder).flatMap(([folder, names]) =>
    [...names].map((name) => inAnyCase(`${folder}/${name}`)),
  );
  const suffixPatterns = protectedSuffixes.map((suffix) => `[^/]*${inAnyCase(suffix)}`);
  const names = [...[...protectedNames].map(inAnyCase), ...suffixPatterns, ...inFolders, ...inGit];
  return names.map((name) => `(regex #"/${name}(/|$)")`).join(' ');
}

/** The file systems of a Mac take both cases of a letter for the same. */
const inAnyCase = (name: string): string =>
  name
    .replaceAll('.', '\\.')
    .replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

const subpaths = (paths: readonly string[]): string =>
  paths.map((path) => `(subpath ${quoted(path)})`).join(' ');

/** As a string of the profile's language, in which only these two characters are special. */
const quoted = (path: string): string => `"${path.replaceAll(/["\\]/g, '\\$&')}"`;
