// Tries to escape its sandbox, one attempt per method, and returns the outcome.
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { spawn } from 'node:child_process';

const outcomeOf = (attempt) => {
  try {
    return { done: attempt() };
  } catch (error) {
    return { failed: error.code ?? error.message };
  }
};

const methods = {
  read: ({ path }) => outcomeOf(() => readFileSync(path, 'utf8')),
  write: ({ path }) => outcomeOf(() => writeFileSync(path, 'was here') ?? true),
  list: ({ path }) => outcomeOf(() => readdirSync(path)),
  link: ({ path, to, hard = false }) =>
    outcomeOf(() => (hard ? linkSync : symlinkSync)(to, path) ?? true),
  /** Replaces a file with a link. */
  replace: ({ path, to }) =>
    outcomeOf(() => {
      renameSync(path, `${path}-before`);
      symlinkSync(to, path);
      return true;
    }),
  /** Alternates between a folder with a file and a link until the worker ends. */
  flip: ({ path, file, to }) => {
    const aside = path.replace(/[^/]*$/, '.aside');
    mkdirSync(path);
    writeFileSync(`${path}/${file}`, 'was here');
    const turn = () => {
      for (let round = 0; round < 200; round += 1) {
        renameSync(path, aside);
        symlinkSync(to, path);
        unlinkSync(path);
        renameSync(aside, path);
      }
      setImmediate(turn);
    };
    setImmediate(turn);
    return true;
  },
  hang: ({ path }) => {
    if (path) writeFileSync(path, 'was here');
    return new Promise(() => {});
  },
  environment: () => ({ ...process.env }),
  received: (params) => params,
  whoami: () => ({ uid: process.getuid(), pid: process.pid, cwd: process.cwd() }),
  /** Returns all details of the processes that it can see. */
  processes: () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) =>
        ['cmdline', 'environ'].map((file) =>
          outcomeOf(() => readFileSync(`/proc/${pid}/${file}`, 'latin1')),
        ),
      ),
  connect: ({ port, host = '127.0.0.1' }) =>
    new Promise((resolve) => {
      const socket = connect(port, host);
      socket.once('connect', () => resolve({ done: true }) ?? socket.destroy());
      socket.once('error', (error) => resolve({ failed: error.code }));
    }),
  /** Starts a child that tries to outlive the sandbox. */
  orphan: ({ path }) => {
    const script = `while :; do date +%s%N > '${path}'; sleep 0.05; done`;
    const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: 'ignore', env: {} });
    child.unref();
    return child.pid;
  },
};

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const run = methods[method];
  const answer = run
    ? { result: (await run(params)) ?? null }
    : { error: { code: -32601, message: 'method not found' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
});
