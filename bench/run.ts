import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agent } from './agent.ts';
import { channel } from './channel.ts';
import { chatRelay } from './chat-relay.ts';
import { conversation } from './conversation.ts';
import { database } from './database.ts';
import { deadTools } from './dead-tools.ts';
import { eventLoop } from './event-loop.ts';
import { fanOut } from './fan-out.ts';
import { get } from './get.ts';
import { type Row, tableOf } from './harness/table.ts';
import { invoke } from './invoke.ts';
import { mcp } from './mcp.ts';
import { memory } from './memory.ts';
import { pluginDev } from './plugin-dev.ts';
import { permissions } from './permissions.ts';
import { browser } from './browser.ts';
import { computer } from './computer.ts';
import { sandbox } from './sandbox.ts';
import { startup } from './startup.ts';
import { store } from './store.ts';
import { turnsAtOnce } from './turns-at-once.ts';
import { unpack } from './unpack.ts';
import { uploadDirectory } from './upload-directory.ts';

/** Benchmarks by name. Each works in its own temporary directory and returns its rows. */
const benches: Record<string, (directory: string) => Promise<Row[]>> = {
  startup,
  memory,
  channel,
  database,
  get,
  invoke,
  'plugin-dev': pluginDev,
  'fan-out': fanOut,
  unpack,
  'event-loop': eventLoop,
  sandbox,
  browser,
  computer,
  'upload-directory': uploadDirectory,
  store,
  permissions,
  'chat-relay': chatRelay,
  conversation,
  'turns-at-once': turnsAtOnce,
  'dead-tools': deadTools,
  mcp,
  agent,
};

const requested = process.argv.slice(2);
const unknown = requested.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  const all = Object.keys(benches).join(', ');
  process.stderr.write(`There is no bench ${unknown.join(', ')}. Benches: ${all}.\n`);
  process.exit(2);
}

const rows: Row[] = [];
for (const [name, bench] of Object.entries(benches)) {
  if (requested.length > 0 && !requested.includes(name)) continue;
  process.stderr.write(`bench: ${name}\n`);
  const directory = await mkdtemp(join(tmpdir(), `bench-${name}-`));
  try {
    rows.push(...(await bench(directory)));
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}
process.stdout.write(`${tableOf(rows)}\n`);
