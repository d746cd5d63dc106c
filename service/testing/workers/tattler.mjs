// Says on stderr what it was sent; answers `first` only, and takes its time to end.
import { createInterface } from 'node:readline';

process.on('SIGTERM', () => {});
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === '$/cancelRequest') console.error(`told to cancel ${params.id}`);
  else console.error(`got ${method} ${id}`);
  if (method === 'first') console.log(JSON.stringify({ jsonrpc: '2.0', id, result: null }));
});
setInterval(() => {}, 1_000);
