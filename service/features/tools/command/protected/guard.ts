import { type Box, type Boxing, noBoxing } from '../../../../platform/isolation/box.ts';
import type { CommandPlace } from '../workspace.ts';
import type { ProcessSpec } from '../../../../platform/processes.ts';
import type { Mounts } from './held-workspace.ts';
import type { ProtectedFiles } from './protected-files.ts';

const maxNamed = 20;

/** What stands around a command because of the files that decide what runs later. */
export interface Guard {
  box: Pick<Box, 'readOnly' | 'pinned' | 'refusesProtectedNames'>;
  /** The same program, started only when the mounts are what they should be. */
  checked(spec: ProcessSpec): ProcessSpec;
  /** Nothing of the command runs any more. Answers what there is to say of it. */
  end(): Promise<string | undefined>;
}

/** Only a command in the sandbox that a person did not decide about is kept from these files. */
export async function guardFor(
  files: ProtectedFiles,
  { place, sandboxed, approved }: { place: CommandPlace; sandboxed: boolean; approved: boolean },
  boxing: Boxing,
): Promise<Guard> {
  if (!sandboxed || approved) {
    const done = await files.allow(place);
    return { box: {}, checked: asItIs, end: () => done().then(() => undefined) };
  }
  if (boxing === noBoxing || process.platform !== 'linux')
    return { box: { refusesProtectedNames: true }, checked: asItIs, end: () => nothing };
  const hold = await files.hold(place);
  const { inodes, readOnly, pinned } = hold;
  return {
    box: { readOnly, pinned },
    checked: (spec) => (inodes.length === 0 ? spec : whenMounted(spec, inodes)),
    end: async () => noteOf(await hold.end()),
  };
}

const asItIs = (spec: ProcessSpec): ProcessSpec => spec;
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

function noteOf(putAside: readonly string[]): string | undefined {
  if (putAside.length === 0) return undefined;
  const rest = putAside.length > maxNamed ? ', …' : '';
  return `Nobody was asked about this command, so what decides what runs outside of the sandbox was put aside under another name: ${putAside.slice(0, maxNamed).join(', ')}${rest}. A person may put it back, or allow the very call that makes it.`;
}
