import { text } from 'node:stream/consumers';
import { findProgram } from '../platform/find-program.ts';
import type { SandboxSpec, Sandbox } from '../platform/isolation/sandbox.ts';
import { createBubblewrapSandbox, type NamespaceSet } from '../platform/isolation/bubblewrap.ts';
import { isProcessor } from '../platform/elf/system-calls.ts';
import { findSystemTrees } from '../platform/isolation/system-trees.ts';
import type { Processes } from '../platform/processes.ts';

/** Outcome of a program. */
export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Returns the Linux sandbox in one of its modes, regardless of what detection would choose. */
export async function sandboxOf(namespaces: NamespaceSet, launcher = true): Promise<Sandbox> {
  const program = await findProgram('bwrap');
  const processor = process.arch;
  if (program === null || !isProcessor(processor)) throw new Error('There is no bubblewrap here.');
  const trees = await findSystemTrees();
  return createBubblewrapSandbox({ program, namespaces, trees, guard: { processor, launcher } });
}

/** Runs a program in the sandbox to its end. */
export async function runInSandbox(
  processes: Processes,
  sandbox: Sandbox,
  {
    program,
    args,
    sandboxSpec = {},
  }: { program: string; args: string[]; sandboxSpec?: Partial<SandboxSpec> },
): Promise<Outcome> {
  const whole: SandboxSpec = { mounts: [], network: false, ...sandboxSpec };
  const spec = {
    program,
    args,
    cwd: whole.mounts.find(({ writable }) => writable)?.path ?? '/',
    env: {},
  };
  const child = await processes.spawn(sandbox.wrap(spec, whole));
  child.stdin.end();
  const [stdout, stderr, { code }] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    child.exited,
  ]);
  return { code, stdout, stderr };
}

/** Path of Node inside the sandbox if the system's folders do not contain it. */
export const nodeInside = '/runtime/node';
export const nodeMount = { path: process.execPath, inside: nodeInside, writable: false };
