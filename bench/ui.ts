import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../service/client/index.ts';
import { api } from '../service/contract/index.ts';
import { startModelServer } from '../service/testing/model-server.ts';
import { openPage, startBrowser } from './harness/pages.ts';
import { type Row, tableOf } from './harness/table.ts';
import { healthPath, prepareHost, startHost, token } from './harness/two-servers.ts';
import { firstAnswer } from './harness/wire.ts';
import { heapWhileStreaming, longConversation } from './ui-chat.ts';
import { workflowPan, storeFilter } from './ui-lists.ts';
import { firstPaint } from './ui-paint.ts';

/**
 * Benchmarks of the shell's page in a browser with the built host: `node bench/ui.ts
 * [paint|chat|lists…]`.
 */
const parts = ['paint', 'chat', 'lists'];
const requested = process.argv.slice(2);
const unknown = requested.filter((name) => !parts.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no part ${unknown.join(', ')}. Parts: ${parts.join(', ')}.\n`);
  process.exit(2);
}
const isRequested = (name: string): boolean => requested.length === 0 || requested.includes(name);

const directory = await mkdtemp(join(tmpdir(), 'bench-ui-'));
const workDirectory = join(directory, 'work');
await prepareHost(workDirectory);
const host = await startHost(workDirectory, '--web');
const model = await startModelServer();
const browser = await startBrowser();
const rows: Row[] = [];
try {
  await firstAnswer(host.port, healthPath);
  const shell = `http://127.0.0.1:${host.port}/`;
  const client = createClient({ baseUrl: shell.slice(0, -1), token: () => token });
  const backend = { apiKey: 'unused', model: 'bench', baseUrl: model.baseUrl };
  await client.call(api.aiConfig.put, { body: { activeMode: 'cloud_c', cloud_c: backend } });
  if (isRequested('paint')) rows.push(...(await firstPaint(browser, shell, directory)));
  const page = await openPage(browser);
  if (isRequested('chat')) {
    rows.push(...(await longConversation(page, client, model, shell)));
    rows.push(await heapWhileStreaming(page, model));
  }
  if (isRequested('lists')) {
    rows.push(await storeFilter(page, client, shell));
    rows.push(await workflowPan(page, client, shell));
  }
} finally {
  process.stdout.write(`${tableOf(rows)}\n`);
  await browser.close();
  await Promise.all([host.stop(), model.close()]);
  await rm(directory, { recursive: true, force: true, maxRetries: 3 });
}
