// An MCP server over stdio in the protocol era of its first argument (`legacy` or `modern`). Its
// tool `ask` requests answers of the model with its parameters, all in parallel, and returns the
// answers; `forget` requests one too, but ends when `release` is called, without waiting for the
// answer.
import { createInterface } from 'node:readline';

const isModern = process.argv[2] === 'modern';
const stamp = isModern ? { resultType: 'complete' } : {};
const cached = isModern ? { ...stamp, ttlMs: 0, cacheScope: 'private' } : {};
const capabilities = { tools: {} };
const method = 'sampling/createMessage';
let asked = 0;
const waiting = new Map();
let release;
const released = new Promise((resolve) => (release = resolve));

const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (value) => ({
  ...stamp,
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
});

function sample(params) {
  const id = `s${(asked += 1)}`;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    send({ id, method, params });
  });
}

async function call({ name, arguments: { requests = [] } = {}, inputResponses }) {
  if (name === 'release') release();
  if (name === 'release' || name === 'forget') {
    for (const params of requests) void sample(params);
    await released;
    return text('not waited for');
  }
  if (!isModern) return text(await Promise.all(requests.map(sample)));
  if (inputResponses) return text(Object.values(inputResponses).map((result) => ({ result })));
  const entries = requests.map((params, index) => [`s${index}`, { method, params }]);
  return { resultType: 'input_required', inputRequests: Object.fromEntries(entries) };
}

const tools = ['ask', 'forget', 'release'].map((name) => ({
  name,
  inputSchema: { type: 'object' },
}));
const answers = {
  ...(isModern
    ? {
        'server/discover': () => ({
          ...cached,
          ...{ supportedVersions: ['2026-07-28'], capabilities },
        }),
      }
    : {
        initialize: ({ capabilities: offered }) => ({
          ...{ protocolVersion: '2025-06-18', capabilities },
          serverInfo: { name: 'sampling', version: JSON.stringify(offered) },
        }),
        ping: () => ({}),
      }),
  'tools/list': () => ({ ...cached, tools }),
  'tools/call': call,
};

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method: wanted, params = {}, result, error } = JSON.parse(line);
  if (wanted === undefined) {
    waiting.get(id)?.(error ? { error } : { result });
    return;
  }
  if (id === undefined) return;
  const answer = answers[wanted];
  if (answer) return send({ id, result: await answer(params) });
  send({ id, error: { code: -32601, message: `There is no method ${wanted}.` } });
});
