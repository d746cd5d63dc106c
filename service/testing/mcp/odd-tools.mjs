// An MCP server over stdio whose tools have the names of its first argument (JSON). Each returns
// the name it was called by.
import { answerLines } from './answer-lines.mjs';

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

answerLines(answers);
