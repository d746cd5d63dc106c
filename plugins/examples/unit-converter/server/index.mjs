/** An MCP server over stdio without a library: JSON-RPC 2.0, one message per line. */
import { createInterface } from 'node:readline';
import { convert, units } from './units.mjs';

const unit = { type: 'string', enum: Object.keys(units) };
const tool = {
  name: 'convert',
  description: 'Converts a length or a mass to another unit.',
  inputSchema: {
    type: 'object',
    properties: { amount: { type: 'number' }, from: unit, to: unit },
    required: ['amount', 'from', 'to'],
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'unit-converter', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call'({ name, arguments: given }) {
    try {
      if (name !== tool.name) throw new Error(`There is no tool ${name}.`);
      return { content: [{ type: 'text', text: convert(given) }] };
    } catch (error) {
      return { content: [{ type: 'text', text: error.message }], isError: true };
    }
  },
};

const write = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line);
  // Notifications have no response.
  if (id === undefined) continue;
  const found = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (found !== undefined) write({ jsonrpc: '2.0', id, result: found(params) });
  else write({ jsonrpc: '2.0', id, error: { code: -32601, message: `No method ${method}.` } });
}
