// Writes its input to stderr; answers only `first`, and ends slowly.
import { createInterface } from 'node:readline';

process.on('SIGTERM', () => {});
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === '$/cancelRequest') console.error(`told to cancel ${params.id}`);
  else console.error(`got ${method} ${id}`);
  if (method === 'first') console.log(JSON.stringify({ jsonrpc: '2.0', id, result: null }));
});
setInterval(() => {}, 1_000);
