import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { api } from '../../../contract/index.ts';
import { type DebuggerProgram, startDebugger } from '../../../testing/debugger-program.ts';
import { type DebuggingSession, listens, openSession } from '../../../testing/debugging-session.ts';
import { packPlugin } from '../../../testing/packages.ts';
import { invoke, upload } from '../../../testing/sample-plugin.ts';
import { startTestHost, type TestHost } from '../../../testing/test-host.ts';
import { makeTestPlugin } from '../../../testing/workers/test-plugin.ts';

const id = 'acme.debugged';
const source = join(import.meta.dirname, '../../../testing/workers/EchoWorker.java');

/** The messages of jdb. */
const over = /The application (?:exited|has been disconnected)/;

let test: TestHost;
let session: DebuggingSession;
let line: number;
let programs: DebuggerProgram[] = [];

beforeAll(async () => {
  test = await startTestHost({ sandboxPath: process.env['PATH'] });
  await test.client.call(api.settings.put, { body: { developerMode: true } });
  const made = await makeTestPlugin('EchoWorker.java');
  const jar = await readFile(join(made.plugin.directory, 'backend/worker.jar'));
  await made.remove();
  const methods = { echo: { timeoutSeconds: 1 }, die: {} };
  const manifest = { id, name: 'Debugged', worker: { runtime: 'java' }, methods };
  await upload(test, await packPlugin({ manifest, files: { 'backend/worker.jar': jar } }));
  const lines = (await readFile(source, 'utf8')).split('\n');
  line = lines.findIndex((text) => text.includes('int start =')) + 1;
  session = await openSession(test, id);
});
afterEach(async () => {
  await Promise.all(programs.map((program) => program.close()));
  programs = [];
});
afterAll(() => test.close());

function jdb(): DebuggerProgram {
  const program = startDebugger('jdb', ['-attach', session.url]);
  programs.push(program);
  return program;
}

async function breakOnce(program: DebuggerProgram): Promise<void> {
  await program.until(/> /);
  program.type(`stop at EchoWorker:${line}`);
  await program.until(/Set breakpoint|Deferring breakpoint/);
  const call = invoke(test, id, 'echo', { word: 'seen' });
  await program.until(/Breakpoint hit: [^]*EchoWorker\.main\(\)[^]*main\[1\] /);
  program.type('print name');
  await program.until(/name = "echo"/);
  program.type('cont');
  expect(await call).toEqual({ word: 'seen' });
}

it('jdb stops a sandboxed worker, reads a variable and resumes it, twice', async () => {
  expect(session).toMatchObject({ runtime: 'java', root: '/plugin' });
  const first = jdb();
  await breakOnce(first);
  first.type('exit');
  await first.exited;
  await breakOnce(jdb());
});

it('a worker that exits ends its debugger, and the next debugger finds a new worker', async () => {
  const first = jdb();
  await first.until(/> /);
  const call = expect(invoke(test, id, 'die')).rejects.toThrow(/code 1/);
  await first.until(
    /Exception occurred: java\.lang\.IllegalStateException \(uncaught\)[^]*main\[1\] /,
  );
  first.type('cont');
  await call;
  await first.until(over);
  await breakOnce(jdb());
});

it('ending the session frees the port, and the worker runs without the debugger', async () => {
  const program = jdb();
  await program.until(/> /);
  session.leave();
  await program.until(over);
  await expect.poll(() => listens(session.port)).toBe(false);
  await expect
    .poll(() => invoke(test, id, 'echo', { word: 'on' }).catch(String))
    .toEqual({ word: 'on' });
});
