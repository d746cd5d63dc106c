import { basename, relative } from 'node:path';
import {
  type SandboxSpec,
  type Sandbox,
  passthroughSandbox,
} from '../../../../platform/isolation/sandbox.ts';
import type { CommandLocation } from '../workspace.ts';
import type { ProcessSpec } from '../../../../platform/processes.ts';
import type { Mounts } from './held-workspace.ts';
import type { HeldProcess } from './held-command.ts';
import type { HoldEnd, ProtectedFiles } from './protected-files.ts';

const maxNamed = 20;

/** The protection around a command for files that decide what runs later. */
export interface Guard {
  sandboxOptions: Pick<SandboxSpec, 'readOnly' | 'pinned' | 'refusesProtectedNames'>;
  /** Wraps the program so that it starts only if the mounts are as expected. */
  checked(spec: ProcessSpec): ProcessSpec;
  runs(process: HeldProcess): void;
  /**
   * Called when all processes of the command have ended. Resolves with a note about the protection
   * and the output, if there is one.
   */
  end(output: string): Promise<string | undefined>;
}

/** The options of a command whose protected files are guarded. */
export interface GuardedOrder {
  location: CommandLocation;
  sandboxed: boolean;
  approved: boolean;
  /** True for a command that runs in the background. */
  background: boolean;
}

/** Only a sandboxed command without an approval of its own is kept from these files. */
export async function guardFor(
  files: ProtectedFiles,
  { location, sandboxed, approved, background }: GuardedOrder,
  sandbox: Sandbox,
): Promise<Guard> {
  if (!sandboxed || approved) {
    const done = await files.allow(location, !background);
    return {
      sandboxOptions: {},
      checked: asItIs,
      runs: ignored,
      end: async () => concurrentChangeMessage(await done()),
    };
  }
  if (sandbox === passthroughSandbox || process.platform !== 'linux')
    return {
      sandboxOptions: { refusesProtectedNames: true },
      checked: asItIs,
      runs: ignored,
      end: () => nothing,
    };
  const hold = await files.hold(location);
  const { inodes, readOnly, pinned } = hold;
  return {
    sandboxOptions: { readOnly, pinned },
    checked: (spec) => (inodes.length === 0 ? spec : whenMounted(spec, inodes)),
    runs: (process) => hold.runs(process),
    end: async (output) => {
      const notes = [...notesOf(await hold.end()), refusalIn(output, namesIn(location, hold))];
      return notes.filter((note) => note !== undefined).join(' ') || undefined;
    },
  };
}

const asItIs = (spec: ProcessSpec): ProcessSpec => spec;
const ignored = (): void => undefined;
const nothing = Promise.resolve(undefined);

/**
 * While the mounts are made, another command in the workspace could replace a folder on a mounted
 * path with a link. A system shell inside the sandbox checks the mounts before the program starts.
 */
function whenMounted(spec: ProcessSpec, inodes: Mounts['inodes']): ProcessSpec {
  const paths = inodes.map(([path]) => quoted(path)).join(' ');
  const expected = quoted(inodes.map(([, inode]) => inode).join('\n'));
  const check = `[ "$(stat -c %d:%i -- ${paths})" = ${expected} ]`;
  const script = `${check} || { echo ${quoted(moved)} >&2; exit 126; }; exec "$@"`;
  return { ...spec, program: '/bin/sh', args: ['-c', script, 'sh', spec.program, ...spec.args] };
}

const moved =
  'Folders of the workspace were moved while the command was starting, so it did not run. Run it again.';

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const namesIn = (
  { workspace }: CommandLocation,
  { readOnly, pinned }: Pick<Mounts, 'readOnly' | 'pinned'>,
): string[] => [...readOnly, ...pinned].map((path) => relative(workspace, path));

/** Error messages of programs that try to change a mounted file. */
const readOnlyErrors = /Read-only file system|\bEROFS\b/;
/** Error messages for moving or removing a mounted file, or a folder around it. */
const busyErrors = /Device or resource busy|\bEBUSY\b/;

/** Returns the reason of a failure that held files may have caused. */
function refusalIn(output: string, held: readonly string[]): string | undefined {
  const lines = output.split('\n');
  const refused = lines.filter((line) => readOnlyErrors.test(line) || busyErrors.test(line));
  const namedBy = (nameIn: (name: string) => string): string[] =>
    held.filter((name) => refused.some((line) => line.includes(nameIn(name))));
  const byPath = namedBy((name) => name);
  const named = innermost(byPath.length > 0 ? byPath : namedBy((name) => basename(name)));
  const mayBeAny = held.length > 0 && lines.some((line) => busyErrors.test(line));
  if (named.length === 0 && !mayBeAny) return undefined;
  const names = listed(named.length > 0 ? named : held);
  return `This command ran without approval, so it could not change files that control what runs outside the sandbox: ${names}. The user can allow this call.`;
}

/** Drops folders that contain others of the list. */
const innermost = (names: readonly string[]): string[] =>
  names.filter((name) => !names.some((other) => other.startsWith(`${name}/`)));

const listed = (names: readonly string[]): string =>
  `${names.slice(0, maxNamed).join(', ')}${names.length > maxNamed ? ', …' : ''}`;

function notesOf({ putAside, isClean, wasEnded }: HoldEnd): string[] {
  const names = listed(putAside);
  const notes = [];
  if (putAside.length > 0)
    notes.push(
      `This command ran without approval, so new files that control what runs outside the sandbox were renamed: ${names}. The user can rename them back, or allow the call that creates them.`,
    );
  if (wasEnded)
    notes.push('It created them repeatedly, or more files than can be checked, and was stopped.');
  if (!isClean)
    notes.push(
      'Not all new files could be checked, so some that control what runs outside the sandbox may remain. Check the workspace before you work in it.',
    );
  return notes;
}

function concurrentChangeMessage(putAside: readonly string[]): string | undefined {
  if (putAside.length === 0) return undefined;
  return `Another command without approval ran at the same time. It is unclear which of the two created files that control what runs outside the sandbox, so they were renamed: ${listed(putAside)}. Rename them back, or run this command again when the other one has ended.`;
}
