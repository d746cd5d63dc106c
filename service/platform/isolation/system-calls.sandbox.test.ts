import { afterAll, describe, expect, it } from 'vitest';
import { runInSandbox, sandboxOf } from '../../testing/run-in-sandbox.ts';
import { createProcesses } from '../processes.ts';
import { type NamespaceSet, namespaceSets } from './bubblewrap.ts';
import { refusedCalls } from './seccomp-rules.ts';
import { isProcessor, numberOf, type SystemCall } from '../elf/system-calls.ts';

const processes = createProcesses();
afterAll(() => processes.close());

const number = (name: SystemCall): number =>
  isProcessor(process.arch) ? numberOf(name, process.arch) : -1;
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;
const newUser = 0x10000000;

/** Runs each call in its own program, so that one that is ended does not affect the others. */
const script = `
for my $order (@ARGV) {
  my ($name, @numbers) = split /,/, $order;
  my $answer = syscall($numbers[0], map { int } @numbers[1 .. $#numbers]);
  print "$name ", ($answer == -1 ? $! + 0 : 0), "\\n";
}
`;

type Call = [name: string, call: SystemCall, ...args: number[]];

async function errorsOf(
  calls: readonly Call[],
  ...way: Parameters<typeof sandboxOf>
): Promise<Record<string, number>> {
  const orders = calls.map(([name, call, ...args]) => [name, number(call), ...args].join(','));
  const args = ['-e', script, ...orders];
  const outcome = await runInSandbox(processes, await sandboxOf(...way), {
    program: '/usr/bin/perl',
    args,
  });
  const lines = outcome.stdout.trim().split('\n');
  expect(lines, outcome.stderr).toHaveLength(calls.length);
  return Object.fromEntries(
    lines.map((line): [string, number] => [line.split(' ')[0]!, Number(line.split(' ')[1])]),
  );
}

const here = refusedCalls.filter((name) => number(name) >= 0);
const plain: Call[] = here.map((name): Call => [name, name, 0, 0, 0, 0, 0]);
const judged: Call[] = [
  ['clone3', 'clone3', 0, 0],
  ['unshare-user', 'unshare', newUser],
  ['unshare-mounts', 'unshare', 0x20000],
  ['clone-user', 'clone', newUser | 17, 0, 0, 0, 0],
  ['vsock', 'socket', 40, 1, 0],
  ['packet', 'socket', 17, 3, 0],
  ['crypto', 'socket', 38, 5, 0],
  ['netlink-audit', 'socket', 16, 3, 9],
  ['type-ahead', 'ioctl', 0, 0x5412, 0],
  ['personality', 'personality', 0x40000],
  ['local', 'socket', 1, 1, 0],
  ['internet', 'socket', 2, 1, 0],
  ['internet6', 'socket', 10, 1, 0],
  ['netlink-route', 'socket', 16, 3, 0],
  ['ask-personality', 'personality', 0xffffffff],
];

describe.each(Object.keys(namespaceSets) as NamespaceSet[])(
  'the kernel, asked from a sandbox with the namespaces of the set “%s”',
  (namespaces) => {
    it.each([true, false])(
      'refuses every call of the table, with the launcher (%s) and without',
      async (launcher) => {
        const answers = await errorsOf(plain, namespaces, launcher);
        expect(answers).toEqual(Object.fromEntries(here.map((name) => [name, EPERM])));
      },
    );

    it('decides calls by their argument where it matters', async () => {
      expect(await errorsOf(judged, namespaces)).toEqual({
        clone3: ENOSYS,
        'unshare-user': EPERM,
        'unshare-mounts': EPERM,
        'clone-user': EPERM,
        vsock: EAFNOSUPPORT,
        packet: EAFNOSUPPORT,
        crypto: EAFNOSUPPORT,
        'netlink-audit': EAFNOSUPPORT,
        'type-ahead': EPERM,
        personality: EPERM,
        local: 0,
        internet: 0,
        internet6: expect.toBeOneOf([0, EAFNOSUPPORT]) as unknown,
        'netlink-route': 0,
        'ask-personality': 0,
      });
    });
  },
);

it('the refusals are caused by the filter: without it the kernel responds differently', async () => {
  const sandbox = await sandboxOf('closed', false);
  const filterless = {
    ...sandbox,
    wrap: (...order: Parameters<typeof sandbox.wrap>) => {
      const spec = sandbox.wrap(...order);
      const [args] = spec.descriptorContents ?? [];
      return { ...spec, descriptorContents: [String(args).replace('--seccomp\x004\0', '')] };
    },
  };
  const names = ['ptrace', 'keyctl', 'kcmp', 'personality', 'name_to_handle_at'] as const;
  const args = ['-e', script, ...names.map((name) => `${name},${number(name)},0,0,0,0,0`)];
  const { stdout } = await runInSandbox(processes, filterless, { program: '/usr/bin/perl', args });
  for (const name of names) expect(stdout).not.toContain(`${name} ${EPERM}\n`);
  expect(stdout.trim().split('\n')).toHaveLength(names.length);
});

it('a program that makes calls of another processor is ended, or the kernel has no such calls', async () => {
  const args = ['-e', `syscall(${0x40000000 + 39}); print "alive"`];
  const sandbox = await sandboxOf('closed');
  const { code, stdout } = await runInSandbox(processes, sandbox, {
    program: '/usr/bin/perl',
    args,
  });
  const badCall = 31;
  // On arm64, the number does not exist in any kernel.
  const killed = { code: 128 + badCall, stdout: '' };
  expect({ code, stdout }).toEqual(process.arch === 'x64' ? killed : { code: 0, stdout: 'alive' });
});
