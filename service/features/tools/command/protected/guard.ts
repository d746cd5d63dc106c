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

/** What stands around a command because of the files that decide what runs later. */
export interface Guard {
  sandboxOptions: Pick<SandboxSpec, 'readOnly' | 'pinned' | 'refusesProtectedNames'>;
  /** The same program, started only when the mounts are what they should be. */
  checked(spec: ProcessSpec): ProcessSpec;
  runs(process: HeldProcess): void;
  /** Nothing of the command runs any more. Answers what there is to say of it and its output. */
  end(output: string): Promise<string | undefined>;
}

/** A command that is to run while protected files are guarded. */
export interface GuardedOrder {
  location: CommandLocation;
  sandboxed: boolean;
  approved: boolean;
  /** Nobody waits for its end. */
  background: boolean;
}

/** Only a command in the sandbox that a person did not decide about is kept from these files. */
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
 * Another command that runs in the workspace could have a folder on the way to something be a link
 * at the moment when it was mounted. What is mounted is looked at from within, by a shell of the
 * system, before the program gets to run.
 */
function whenMounted(spec: ProcessSpec, inodes: Mounts['inodes']): ProcessSpec {
  const paths = inodes.map(([path]) => quoted(path)).join(' ');
  const expected = quoted(inodes.map(([, inode]) => inode).join('\n'));
  const check = `[ "$(stat -c %d:%i -- ${paths})" = ${expected} ]`;
  const script = `${check} || { echo ${quoted(moved)} >&2; exit 126; }; exec "$@"`;
  return { ...spec, program: '/bin/sh', args: ['-c', script, 'sh', spec.program, ...spec.args] };
}

const moved =
  'Folders of the workspace were moved while the command was about to start, so it did not. Run it again.';

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const namesIn = (
  { workspace }: CommandLocation,
  { readOnly, pinned }: Pick<Mounts, 'readOnly' | 'pinned'>,
): string[] => [...readOnly, ...pinned].map((path) => relative(workspace, path));

/** How the kernel answers who wants to change what is mounted, in the words of programs. */
const readOnlyErrors = /Read-only file system|\bEROFS\b/;
/** Who wants to move or remove it, or a folder around it. */
const busyErrors = /Device or resource busy|\bEBUSY\b/;

/** Why something failed, where it may be because of what is held. */
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
  return `Nobody was asked about this command, so it could not change what decides what runs outside of the sandbox: ${names}. A person may allow this very call.`;
}

/** Without the folders of others of them. */
const innermost = (names: readonly string[]): string[] =>
  names.filter((name) => !names.some((other) => other.startsWith(`${name}/`)));

const listed = (names: readonly string[]): string =>
  `${names.slice(0, maxNamed).join(', ')}${names.length > maxNamed ? ', …' : ''}`;

function notesOf({ putAside, isClean, wasEnded }: HoldEnd): string[] {
  const names = listed(putAside);
  const notes = [];
  if (putAside.length > 0)
    notes.push(
      `Nobody was asked about this command, so what decides what runs outside of the sandbox was put aside under another name: ${names}. A person may put it back, or allow the very call that makes it.`,
    );
  if (wasEnded)
    notes.push('It made that again and again, or more than can be looked through, and was ended.');
  if (!isClean)
    notes.push(
      'Not all that it made could be looked through, so something may be left that decides what runs outside of the sandbox. Look for it before you work there.',
    );
  return notes;
}

function concurrentChangeMessage(putAside: readonly string[]): string | undefined {
  if (putAside.length === 0) return undefined;
  return `Beside this command ran another one that nobody was asked about. Nobody can tell which of them made what decides what runs outside of the sandbox, so it was put aside under another name: ${listed(putAside)}. Put it back, or run this again when the other one has ended.`;
}
