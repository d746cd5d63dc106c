// The echo worker on vscode-jsonrpc: `node jsonrpc-worker.mjs <folder of vscode-jsonrpc>`.
import { createRequire } from 'node:module';

const folder = process.argv[2];
const { createMessageConnection, StreamMessageReader, StreamMessageWriter } = createRequire(
  `${folder}/`,
)('vscode-jsonrpc/node');

const connection = createMessageConnection(
  new StreamMessageReader(process.stdin),
  new StreamMessageWriter(process.stdout),
);
connection.onRequest('echo', (params) => params);
connection.listen();
