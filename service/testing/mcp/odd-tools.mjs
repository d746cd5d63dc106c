// An MCP server over stdio whose tools have the names of its first argument (JSON). Each tells the name
// that it was called by.
import { createInterface } from 'node:readline';

const tools = JSON.parse(process.argv[2] ?? '[]').map((name) => ({
  name,
  description: `The tool\u001b ${name}`,
  inputSchema: { type: 'object' },
}));

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'odd', version: '1' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name }) => ({ content: [{ type: 'text', text: name }] }),
  ping: () => ({}),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  const outcome = answer
    ? { result: answer(params) }
    : { error: { code: -32601, message: `There is no method ${method}.` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`);
});
