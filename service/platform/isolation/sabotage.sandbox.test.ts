import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findProgram } from '../find-program.ts';
import { createProcesses } from '../processes.ts';
import { findIsolation } from './find-isolation.ts';
import type { FoundIsolation } from './found-isolation.ts';
import { englishText } from '../../testing/english-text.ts';

const processes = createProcesses();
let folder: string;
let real: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sabotage-'));
  real = (await findProgram('bwrap')) ?? '';
});
afterAll(async () => {
  await processes.close();
  await rm(folder, { recursive: true });
});

/** Finds the isolation with a `bwrap` that changes its arguments before it calls the real one. */
async function foundWith(change: string): Promise<FoundIsolation> {
  const script = `#!${process.execPath}
const { readFileSync, writeFileSync, openSync } = require('node:fs');
let order = readFileSync(3, 'utf8').split('\\0').slice(0, -1);
let command = process.argv.slice(process.argv.indexOf('--') + 1);
const guard = readFileSync(4);
const drop = (...words) => {
  const at = order.findIndex((_, i) => words.every((word, j) => order[i + j] === word));
  if (at >= 0) order.splice(at, words.length);
};
const add = (...words) => order.splice(order.indexOf('--chdir'), 0, ...words);
${change}
writeFileSync(__filename + '.order', order.map((word) => word + '\\0').join(''));
writeFileSync(__filename + '.guard', guard);
const handed = ['order', 'guard'].map((name) => openSync(__filename + '.' + name));
const { status } = require('node:child_process').spawnSync(
  ${JSON.stringify(real)},
  ['--args', '3', '--', ...command],
  { stdio: ['inherit', 'inherit', 'inherit', ...handed, 5] },
);
process.exit(status ?? 1);
`;
  await writeFile(join(folder, 'bwrap'), script, { mode: 0o755 });
  return findIsolation(processes, { hostRoot: join(folder, '.host'), path: folder });
}

it('a working bwrap results in a sandbox', async () => {
  const { found } = await foundWith('');
  expect(found).toMatchObject({ backend: 'bubblewrap', sandboxed: true, reduced: false });
});

it.each([
  ['leaves the launcher out', `command.splice(command.indexOf('/.launcher'), 2)`],
  ['loads no filter', `command.splice(command.indexOf('/.launcher'), 2); drop('--seccomp', '4')`],
])('one that %s does not make one, and the report says why', async (_, change) => {
  const { found, sandbox } = await foundWith(change);
  expect(found).toMatchObject({
    backend: 'bubblewrap',
    sandboxed: false,
    reduced: true,
    compatibilityMode: false,
    filesystem: 'full',
    reason: englishText(/where the host stores its files|system call filter/),
    advice: englishText(/latest version of bubblewrap/),
  });
  // Its partial isolation is still used.
  const spec = { program: '/x', args: [], cwd: '/', env: {} };
  const { program, args } = sandbox.wrap(spec, { mounts: [], network: false });
  expect([program, ...args]).toContain(join(folder, 'bwrap'));
});

it.each([
  [
    'does not let the launcher work, as some systems do,',
    `drop('--cap-add', 'CAP_SYS_ADMIN')`,
    /where the host stores its files/,
  ],
  ['leaves /proc writable', `drop('--remount-ro', '/proc')`, /change kernel settings/],
  [
    'shows the mounts of its first process',
    `drop('--remount-ro', '/proc/1'); drop('--size', '1048576', '--tmpfs', '/proc/1')`,
    /where the host stores its files/,
  ],
  [
    'takes the filter out of the launcher',
    // prctl(22, …), which loads the filter, is replaced with a harmless call.
    `const at = guard.indexOf(Buffer.from([0xbf, 22, 0, 0, 0])); if (at > 0) guard[at + 1] = 3;
     drop('--seccomp', '4')`,
    /system call filter is not active/,
  ],
  [
    'keeps open what the host has open',
    // close_range is replaced with getpid.
    `const at = guard.indexOf(Buffer.from([0xb8, 0xb4, 1, 0, 0])); if (at > 0) guard.writeUInt32LE(39, at + 1)`,
    /files that were open where the host was started/,
  ],
  [
    'lets memory be taken without a limit',
    // The launcher's call 302, prlimit64, is replaced with getpid.
    `for (let at; (at = guard.indexOf(Buffer.from([0xb8, 0x2e, 1, 0, 0]))) >= 0; ) guard.writeUInt32LE(39, at + 1)`,
    /use all of the memory/,
  ],
  [
    'lets one limit out, that of processes,',
    // prlimit64(0, 6, …), the limit of processes, is replaced with that of core files.
    `const at = guard.indexOf(Buffer.from([0xbe, 6, 0, 0, 0])); if (at > 0) guard[at + 1] = 4`,
    /more processes than this computer can handle/,
  ],
  [
    'lets more memory be shared than is meant',
    `drop('--size', '536870912')`,
    /use all of the memory/,
  ],
  [
    'lets a whole disk of memory be written',
    `drop('--size', '2147483648')`,
    /use all of the memory/,
  ],
])('one that %s makes a reduced sandbox, and the report says why', async (_, change, reason) => {
  const { found } = await foundWith(change);
  expect(found).toMatchObject({
    sandboxed: false,
    reduced: true,
    reason: englishText(reason),
  });
});

it.each([
  ['shows the files of the host', `add('--ro-bind', '/', '/')`, /can see files/],
  [
    'shows the home of the user',
    `add('--ro-bind', process.env.HOME_OF_TEST, process.env.HOME_OF_TEST)`,
    /can see files/,
  ],
  ['lets devices be set by /sys', `add('--bind', '/sys', '/sys')`, /can see files/],
  [
    'leaves the network open',
    `order = order.map((word) => word === '--unshare-all' ? '--unshare-pid' : word); drop('--unshare-net')`,
    /use the network/,
  ],
  ['cannot be started', `command = ['/no/such/program']`, /The test of the sandbox failed/],
])('one that %s makes none at all, and the report says why', async (_, change, reason) => {
  const home = JSON.stringify(process.env['HOME'] ?? '/root');
  const { found } = await foundWith(change.replaceAll('process.env.HOME_OF_TEST', home));
  expect(found).toMatchObject({
    backend: 'none',
    sandboxed: false,
    reduced: false,
    compatibilityMode: true,
    reason: englishText(reason),
  });
});
