// The worker of a plugin with the tools that the MCP conformance suite requires of a server.
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const image = { type: 'image', mimeType: 'image/png', data: png };

const methods = {
  text: () => 'This is a simple text response for testing.',
  image: () => ({ content: [image] }),
  mixed: () => ({ content: [{ type: 'text', text: 'Multiple content types test:' }, image] }),
  fail: () => {
    throw new Error('This tool intentionally returns an error for testing');
  },
  progress: async (id) => {
    for (const percent of [0, 50, 100]) {
      send({ method: 'host.progress', params: { id, percent } });
      await delay(50);
    }
    return 'Done.';
  },
};

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  try {
    send({ id, result: (await methods[method]?.(id)) ?? null });
  } catch ({ message }) {
    send({ id, error: { code: -32000, message } });
  }
});
