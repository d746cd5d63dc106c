import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeInside, nodeMount, runInSandbox, sandboxOf } from '../../testing/run-in-sandbox.ts';
import { createProcesses } from '../processes.ts';
import type { Sandbox, Mount } from './sandbox.ts';
import { type NamespaceSet, namespaceSets } from './bubblewrap.ts';

const processes = createProcesses();
let outside: string;
let mounts: Mount[];
beforeAll(async () => {
  outside = await mkdtemp(join(tmpdir(), 'outside-'));
  const data = join(outside, '.host', 'data');
  const workspace = join(outside, 'workspace');
  for (const folder of [data, workspace]) await mkdir(folder, { recursive: true });
  await writeFile(join(workspace, 'notes'), 'x');
  mounts = [
    { path: data, inside: '/data', writable: true },
    { path: workspace, inside: '/workspace', writable: true },
    nodeMount,
  ];
});
afterAll(async () => {
  await processes.close();
  await rm(outside, { recursive: true });
});

/**
 * Opens every file below the folders for writing, and prints their number and those that could be
 * opened.
 */
const openAll = `
const fs = require('node:fs');
let files = 0;
const opened = [];
function walk(folder) {
  let entries;
  try { entries = fs.readdirSync(folder, { withFileTypes: true }); } catch { return; }
  for (const entry of entries) {
    const path = folder + '/' + entry.name;
    if (entry.isDirectory()) walk(path);
    else if (entry.isFile()) {
      files += 1;
      try {
        fs.closeSync(fs.openSync(path, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK));
        opened.push(path);
      } catch {}
    }
  }
}
for (const folder of process.argv.slice(1)) walk(folder);
console.log(JSON.stringify({ files, opened }));
`;

/** Prints the mounts that the kernel lists for every visible process and its children. */
const readMounts = `
const fs = require('node:fs');
const seen = {};
for (const id of ['self', 'thread-self', ...fs.readdirSync('/proc').filter((n) => /^[0-9]+$/.test(n))])
  for (const name of ['mountinfo', 'mounts', 'mountstats'])
    try { seen[id + '/' + name] = fs.readFileSync('/proc/' + id + '/' + name, 'utf8'); } catch {}
const child = require('node:child_process').execFileSync('/bin/cat', ['/proc/self/mountinfo']);
console.log(JSON.stringify({ seen, child: String(child), id: process.pid }));
`;

const inNode = (sandbox: Sandbox, script: string, args: string[] = []) =>
  runInSandbox(processes, sandbox, {
    program: nodeInside,
    args: ['-e', script, ...args],
    sandboxSpec: { mounts },
  });

describe.each(Object.keys(namespaceSets) as NamespaceSet[])(
  'in a sandbox with the namespaces of the set “%s”',
  (namespaces) => {
    it.each([true, false])(
      'no file of /proc or /sys can be opened to write it, with the launcher (%s) and without',
      async (launcher) => {
        const sandbox = await sandboxOf(namespaces, launcher);
        const { stdout, stderr } = await inNode(sandbox, openAll, ['/proc', '/sys']);
        const { files, opened } = JSON.parse(stdout || stderr) as Record<string, unknown>;
        expect(opened).toEqual([]);
        expect(files).toBeGreaterThan(500);
      },
    );

    it('the kernel lists no mounts, and so no paths of the host, for any process', async () => {
      const { stdout, stderr } = await inNode(await sandboxOf(namespaces), readMounts);
      const { seen, child, id } = JSON.parse(stdout || stderr) as {
        seen: Record<string, string>;
        child: string;
        id: number;
      };
      expect(Object.keys(seen)).toEqual(
        expect.arrayContaining(['self/mountinfo', 'self/mounts', `${id}/mountstats`]),
      );
      expect(Object.keys(seen).filter((name) => name.startsWith('1/'))).toEqual([]);
      for (const text of [...Object.values(seen), child]) {
        for (const path of [outside, homedir(), tmpdir(), '.host'])
          expect(text).not.toContain(path);
        expect(text).toBe('');
      }
    });

    it('a program has no capability, none to gain, and the filter in force', async () => {
      const sandbox = await sandboxOf(namespaces);
      const read = { program: '/bin/cat', args: ['/proc/self/status'] };
      const { stdout } = await runInSandbox(processes, sandbox, read);
      for (const set of ['Inh', 'Prm', 'Eff', 'Bnd', 'Amb'])
        expect(stdout).toContain(`Cap${set}:\t${'0'.repeat(16)}\n`);
      expect(stdout).toContain('NoNewPrivs:\t1\n');
      expect(stdout).toContain('Seccomp:\t2\n');
    });

    it('mounts are readable and writable', async () => {
      const sandbox = await sandboxOf(namespaces);
      const command =
        'cat /workspace/notes && echo y > /data/new && ls /data && pwd && cat <(echo z)';
      const { stdout } = await runInSandbox(processes, sandbox, {
        program: '/bin/bash',
        args: ['-c', command],
        sandboxSpec: { mounts },
      });
      expect(stdout).toBe('xnew\n/data\nz\n');
    });
  },
);

it('without the launcher the kernel lists them, so the test above is meaningful', async () => {
  const { stdout } = await inNode(await sandboxOf('closed', false), readMounts);
  expect(stdout).toContain(outside);
});

it('folders in memory are limited, and devices can be used but not added', async () => {
  const command = `
    df -B1 --output=size /tmp /dev/shm | tail -n +2
    true > /dev/new || echo refused
    echo x > /dev/shm/x && echo y > /dev/null && cat /dev/shm/x`;
  const { stdout } = await runInSandbox(processes, await sandboxOf('closed'), {
    program: '/bin/sh',
    args: ['-c', command],
  });
  expect(stdout.replaceAll(' ', '')).toBe('2147483648\n536870912\nrefused\nx\n');
});

it('descriptors of the starting process are not open in a program', async () => {
  const sandbox = await sandboxOf('closed');
  const leaving = {
    ...sandbox,
    wrap: (...order: Parameters<Sandbox['wrap']>) => {
      const spec = sandbox.wrap(...order);
      return {
        ...spec,
        descriptorContents: [...(spec.descriptorContents ?? []), 'PRIVATE', 'PRIVATE'],
      };
    },
  };
  const { stdout } = await runInSandbox(processes, leaving, {
    program: '/bin/sh',
    args: ['-c', 'ls /proc/self/fd; cat /proc/self/fd/5 /proc/self/fd/6'],
  });
  // The last one is the listing itself.
  expect(stdout).toBe('0\n1\n2\n3\n');
});

it('a program can have a debug pipe in both directions in addition to its standard streams', async () => {
  const sandbox = await sandboxOf('closed');
  const command = 'ls /proc/self/fd >&5; head -n 1 <&5 >&5';
  const spec = {
    program: '/bin/sh',
    args: ['-c', command],
    cwd: '/',
    env: {},
    withDebugPipe: true,
  };
  const child = await processes.spawn(sandbox.wrap(spec, { mounts: [], network: false }));
  child.debugPipe?.write('there and back\n');
  const output = child.debugPipe === undefined ? '' : await text(child.debugPipe);
  expect(output).toBe('0\n1\n2\n3\n5\nthere and back\n');
});

it('a program that cannot be started ends with the complaint of the launcher', async () => {
  const missing = { program: '/no/such/program', args: [] };
  const outcome = await runInSandbox(processes, await sandboxOf('closed'), missing);
  expect(outcome).toEqual({
    code: 126,
    stdout: '',
    stderr: 'The sandbox could not be completed, or its program not started.\n',
  });
});
