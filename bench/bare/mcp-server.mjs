// Minimal MCP server over stdio with one echo tool. Reads nothing for the number of milliseconds in
// its first argument.
import { createInterface } from 'node:readline';

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'bare', version: '1' },
  }),
  'tools/list': () => ({
    tools: [{ name: 'echo', description: 'Echoes.', inputSchema: { type: 'object' } }],
  }),
  'tools/call': ({ arguments: given }) => ({
    content: [{ type: 'text', text: JSON.stringify(given) }],
  }),
  ping: () => ({}),
};

function answer(line) {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) return;
  const outcome = answers[method]
    ? { result: answers[method](params) }
    : { error: { code: -32601, message: 'Method not found' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`);
}

setTimeout(
  () => createInterface({ input: process.stdin }).on('line', answer),
  Number(process.argv[2] ?? 0),
);
