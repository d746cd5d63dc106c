// A stdio server that misbehaves in the way of its first argument and otherwise works correctly.
import { createInterface } from 'node:readline';
import { appendFileSync } from 'node:fs';

const [mode = '', ...rest] = process.argv.slice(2);
const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (said) => ({ content: [{ type: 'text', text: String(said) }] });
const tool = (name, more = {}) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object' },
  ...more,
});
const goodTools = [
  'echo',
  'crash',
  'hang',
  'error',
  'tell',
  'badly',
  'refuse',
  'pid',
  'twice',
  'big',
  'steps',
  'grow',
  'roots',
].map((name) => tool(name));
/** Writes an event to the file named after the mode. */
const tellFile = (what) => appendFileSync(rest[0] ?? '/dev/null', `${what}\n`);
let grown = 0;

const lists = {
  pages: (cursor) => ({
    tools: [tool(`tool-${cursor ?? 0}`)],
    nextCursor: String(Number(cursor ?? 0) + 1),
  }),
  fat: (cursor) => ({
    tools: Array.from({ length: 15 }, (_, index) =>
      tool(`tool-${cursor ?? 0}-${index}`, { description: 'x'.repeat(2 * 1024 ** 2) }),
    ),
    nextCursor: String(Number(cursor ?? 0) + 1),
  }),
  many: () => ({ tools: Array.from({ length: 5000 }, (_, index) => tool(`tool-${index}`)) }),
  wordy: () => ({
    tools: [
      ...goodTools,
      tool('wordy', { description: 'x'.repeat(1024 ** 2) }),
      tool('schema', { inputSchema: { type: 'object', description: 'y'.repeat(1024 ** 2) } }),
    ],
  }),
  names: () => ({
    tools: [
      'a\nb',
      'evil\u202Etxt',
      'n'.repeat(10240),
      'execute_command',
      'ünï',
      'x y',
      'echo',
      'echo',
    ].map((name) => tool(name)),
  }),
  odd: () => ({ tools: [tool('echo'), 'nonsense', { name: 5 }] }),
};

const calls = {
  echo: ({ message }) => text(`Echo: ${message}`),
  pid: () => text(process.pid),
  crash: () => process.exit(7),
  hang: () => {
    tellFile('hangs');
    return null;
  },
  tell: () => {
    process.stderr.write(`My key is ${process.env.KEY}.\n`);
    throw Object.assign(new Error(`The key ${process.env.KEY} is not good.`), { code: -32051 });
  },
  error: () => {
    throw Object.assign(new Error('I will not.'), { code: -32050 });
  },
  refuse: () => {
    const page = JSON.stringify({
      message: 'No such row.',
      key: process.env.KEY,
      rows: [{ id: 7 }],
    });
    throw Object.assign(new Error(`Query failed: ${page}`), { code: -32052 });
  },
  badly: () => ({ ...text('It went wrong.'), isError: true }),
  big: () => text('z'.repeat(20 * 1024 ** 2)),
  steps: (_, progressToken) => {
    for (const progress of [1, 2, 3])
      send({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 3, message: `step ${progress}` },
      });
    return text('all steps');
  },
  grow: () => {
    grown += 1;
    send({ method: 'notifications/tools/list_changed' });
    return text(grown);
  },
};

function list(cursor) {
  if (mode === 'hang-list') return null;
  const grownTools = Array.from({ length: grown }, (_, index) => tool(`grown-${index}`));
  return lists[mode]?.(cursor) ?? { tools: [...goodTools, ...grownTools] };
}

/** Tools that do not answer by themselves. */
const silent = new Set(['hang', 'roots']);
let rootsAskedBy;

const methods = {
  initialize: () => ({
    protocolVersion: mode === 'old-version' ? '1999-01-01' : '2025-06-18',
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: `hostile-${mode}`, version: '1' },
  }),
  ping: () => ({}),
  'tools/list': ({ cursor } = {}) => list(cursor),
  'tools/call': ({ name, arguments: given, _meta }) => {
    if (name === 'twice') return 'twice';
    if (name === 'roots') send({ id: 'roots', method: 'roots/list' });
    return (
      calls[name]?.(given, _meta?.progressToken) ?? (silent.has(name) ? null : text('unknown'))
    );
  },
};

function answer({ id, method, params, ...told }) {
  if (method === 'tools/call' && params.name === 'roots') rootsAskedBy = id;
  if (method === undefined) return send({ id: rootsAskedBy, result: text(JSON.stringify(told)) });
  if (mode === 'mute' || (mode === 'no-initialize' && method === 'initialize')) return;
  if (id === undefined) {
    if (method !== 'notifications/cancelled') return;
    tellFile(`cancelled ${JSON.stringify(params)}`);
    send({ id: params.requestId, result: text('too late') });
    return;
  }
  if (mode === 'other-version') {
    const data = { supported: ['2031-01-01'], requested: '2026-07-28' };
    return send({ id, error: { code: -32022, message: 'Unsupported protocol version', data } });
  }
  if (!(method in methods)) {
    if (mode === 'exits-at-unknown') process.exit(3);
    if (mode !== 'ignores-unknown')
      send({ id, error: { code: -32601, message: 'Method not found' } });
    return;
  }
  try {
    const result = methods[method](params ?? {});
    if (result === null) return;
    if (result !== 'twice') return send({ id, result });
    send({ id: 987654, result: text('nobody asked') });
    send({ id: 'never', error: { code: -1, message: 'nobody asked' } });
    send({ id, result: text('first') });
    send({ id, result: text('second') });
  } catch (error) {
    send({ id, error: { code: error.code ?? -32603, message: error.message } });
  }
}

function flood() {
  const line = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })}\n`;
  const many = line.repeat(500);
  const pour = () => {
    while (process.stdout.write(many));
    process.stdout.once('drain', pour);
  };
  pour();
}

/** Writes endless lines to stderr. */
function chatter() {
  const many = 'x\n'.repeat(5000);
  const pour = () => {
    while (process.stderr.write(many));
    process.stderr.once('drain', pour);
  };
  pour();
}

const floods = { flood, chatter };

/** Writes one line of 1 GB. */
function giant() {
  const chunk = 'x'.repeat(1024 ** 2);
  let left = 1024;
  const pour = () => {
    while (left-- > 0) if (!process.stdout.write(chunk)) return process.stdout.once('drain', pour);
    process.stdout.write('\n');
  };
  pour();
}

if (mode === 'dies') process.exit(4);
if (mode === 'garbage') {
  process.stdout.write(
    'Starting up…\n{"jsonrpc": "2.0", \n[]\n\u0000\u0001\n{"a":'.concat(
      '[',
      '['.repeat(9999),
      '\n',
    ),
  );
  process.stderr.write('a word on stderr\n');
}
if (mode === 'garbage-only') setInterval(() => process.stdout.write('not json\n'), 5);
if (mode === 'giant') giant();
createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.method === 'notifications/initialized') floods[mode]?.();
  answer(message);
});
if (mode === 'stays') {
  // Ignores the end of its input and SIGTERM.
  process.on('SIGTERM', () => undefined);
  setInterval(() => undefined, 1000);
}
