// A worker with a method for each kind of behaviour. Node only, no libraries.
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const received = [];

// Both lead their own process group; `escapee` also leaves the session and ignores SIGTERM.
const stubborn = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);';
const startChild = (options) =>
  new Promise((resolve) => {
    const script = `${stubborn} process.stdout.write("ready")`;
    const stdio = ['ignore', 'pipe', 'ignore'];
    const child = spawn(process.execPath, ['-e', script], { ...options, stdio });
    child.stdout.once('data', () => resolve(child.pid));
  });

const methods = {
  echo: (params) => params,
  initialized: () => received.find((message) => message.method === 'host.initialize')?.params,
  received: () => received.map(({ method, params }) => ({ method, params })),
  environment: () => ({ ...process.env }),
  place: () => ({ pid: process.pid, directory: process.cwd(), arguments: process.execArgv }),
  hang: () => new Promise(() => {}),
  slow: ({ milliseconds }) => new Promise((resolve) => setTimeout(resolve, milliseconds, 'slow')),
  spin: () => {
    for (;;);
  },
  exit: ({ code }) => process.exit(code),
  exitAfterAnswer: (_params, id) => {
    process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":"last"}\n`, () => process.exit(0));
    return new Promise(() => {});
  },
  signal: ({ name }) => process.kill(process.pid, name),
  complainAndExit: ({ lines }) => {
    const text = Array.from({ length: lines }, (_, index) => `trouble ${index + 1}\n`).join('');
    process.stderr.write(text, () => process.exit(1));
    return new Promise(() => {});
  },
  fail: () => {
    throw Object.assign(new Error('no such word'), { code: -5, data: { word: 'x' } });
  },
  noise: ({ lines }) => {
    for (const line of lines) process.stdout.write(`${line}\n`);
    return 'after noise';
  },
  stderr: ({ text }) => {
    process.stderr.write(text);
    return null;
  },
  log: (params) => send({ method: 'host.log', params }),
  progress: (_params, id) => {
    send({ method: 'host.progress', params: { id, percent: 40, message: 'half' } });
    send({ method: 'host.progress', params: { id: 999_999, percent: 50 } });
    return 'done';
  },
  askHost: () => {
    send({ id: 'mine', method: 'host.secrets', params: {} });
    return new Promise((resolve) => setTimeout(resolve, 0)).then(() => waitFor('mine'));
  },
  giantLine: ({ bytes }) => {
    const block = Buffer.alloc(1024 * 1024, 'x');
    let left = bytes;
    const more = () => {
      while (left > 0) {
        left -= block.length;
        if (!process.stdout.write(block)) return process.stdout.once('drain', more);
      }
    };
    more();
    return new Promise(() => {});
  },
  closeStdin: async () => {
    setInterval(() => {}, 1_000);
    await new Promise((resolve) => process.stdin.once('close', resolve).destroy());
    // Node itself leaves the descriptor open.
    closeSync(0);
    return 'closed';
  },
  closeStdout: () => {
    process.stdout.end();
    setInterval(() => {}, 1_000);
    return new Promise(() => {});
  },
  family: async () => {
    const child = await startChild({});
    const escapee = await startChild({ detached: true });
    return { worker: process.pid, child, escapee };
  },
};

const waitFor = async (id) => {
  for (;;) {
    const answer = received.find((message) => message.id === id && message.method === undefined);
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

createInterface({ input: process.stdin }).on('line', async (line) => {
  const message = JSON.parse(line);
  received.push(message);
  const { id, method, params } = message;
  if (id === undefined || method === undefined) return;
  if (method === 'host.initialize') return send({ id, result: {} });
  try {
    const handler = methods[method];
    if (handler === undefined) throw Object.assign(new Error('method not found'), { code: -32601 });
    send({ id, result: (await handler(params, id)) ?? null });
  } catch (error) {
    send({ id, error: { code: error.code ?? -1, message: error.message, data: error.data } });
  }
});
