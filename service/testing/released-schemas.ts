import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database, NewRow } from '../platform/database/database.ts';

const migrationsFolder = join(import.meta.dirname, '..', 'platform', 'database', 'migrations');
const releasedFolder = join(migrationsFolder, 'released');

/** Path of the database as the release left it. Created once by `keep-schemas.ts`. */
export const fixtureOf = (migration: string): string => join(releasedFolder, `${migration}.db`);

/** SHA-256 of each migration's file, by its name. */
export const hashesFile = join(releasedFolder, 'hashes.json');

export async function storedHashes(): Promise<Record<string, string>> {
  return JSON.parse(await readFile(hashesFile, 'utf8')) as Record<string, string>;
}

/** Hashes the text as in the repository, independent of the checkout's line endings. */
export async function hashOf(migration: string): Promise<string> {
  const text = await readFile(join(migrationsFolder, `${migration}.ts`), 'utf8');
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
}

const at = new Date('2026-01-31T23:59:59.123Z');

/** Rows for every table that ever existed; add some for a new table. */
export const sampleRows: Readonly<Record<string, readonly NewRow[]>> = {
  users: [{ id: 7, name: 'Zoë', created_at: at }],
  settings: [
    { name: 'language', value: '"de"' },
    { name: 'workspaceDirectory', value: JSON.stringify('/home/zoë/"work"') },
  ],
  plugins: [
    { id: 'acme.demo', enabled: true, source: 'THIRD_PARTY', installed_at: at },
    { id: 'acme.other', enabled: false, source: 'THIRD_PARTY', installed_at: at },
  ],
  seeded_plugins: [{ id: 'host.sample', version: '1.2.3-beta.4' }],
  notifications: [
    {
      user_id: 1,
      source: 'host',
      level: 'info',
      title: 'Read 🙂',
      body: 'two\nlines',
      link: null,
      created_at: at,
      read_at: at,
    },
    {
      user_id: 1,
      source: 'acme.demo',
      level: 'error',
      title: 'Unread',
      body: null,
      link: '/plugins',
      created_at: at,
      read_at: null,
    },
  ],
  plugin_databases: [
    {
      name: 'plugin_acme_demo',
      plugin_id: 'acme.demo',
      type: 'POSTGRESQL',
      username: 'plugin_acme_demo',
      password: 'ENC(c2VhbGVk)',
      state: 'ACTIVE',
      created_at: at,
    },
  ],
  plugin_sources: [
    {
      id: 'acme-market',
      kind: 'CLAUDE',
      kind_given: false,
      url: 'https://example.com/marketplace.json',
      ref: null,
      enabled: true,
      added_at: at,
    },
    {
      id: 'acme-market-2',
      kind: 'AGENTS',
      kind_given: true,
      url: 'https://example.com/acme/plugins.git',
      ref: 'release/1.x',
      enabled: false,
      added_at: at,
    },
  ],
  memories: [
    {
      user_id: 1,
      text: 'Zoë works in 東京 🙂\nand "quotes"',
      tags: '["work","東京"]',
      created_at: at,
    },
  ],
  conversations: [
    {
      id: '0b6e0f0e-7d52-4a0c-9c3c-2f6f6f0e7d52',
      user_id: 1,
      title: 'Größe 🙂',
      search_title: 'größe 🙂',
      parent_id: null,
      revision: 3,
      message_count: 2,
      created_at: at,
      updated_at: at,
    },
  ],
  conversation_messages: [
    {
      conversation_id: '0b6e0f0e-7d52-4a0c-9c3c-2f6f6f0e7d52',
      position: 0,
      body: JSON.stringify({ role: 'user', content: 'Größe?\n"so"' }),
      search_text: 'größe?\n"so"',
    },
    {
      conversation_id: '0b6e0f0e-7d52-4a0c-9c3c-2f6f6f0e7d52',
      position: 1,
      body: JSON.stringify({ role: 'assistant', content: '42' }),
      search_text: '42',
    },
  ],
  conversation_versions: [
    {
      conversation_id: '0b6e0f0e-7d52-4a0c-9c3c-2f6f6f0e7d52',
      message_id: '5f6e0f0e-7d52-4a0c-9c3c-2f6f6f0e7d52',
      parent_id: '0',
      sequence: 2,
      left_at: 3,
      body: JSON.stringify({ role: 'assistant', content: '41 🙂' }),
      search_text: '41 🙂',
    },
  ],
  conversation_attachments: [
    {
      conversation_id: '0b6e0f0e-7d52-4a0c-9c3c-2f6f6f0e7d52',
      attachment_id: '6f6e0f0e-7d52-4a0c-9c3c-2f6f6f0e7d52',
      part: 0,
      body: '"Größe 🙂"',
    },
  ],
  agent_runs: [
    {
      id: '1c6e0f0e-7d52-4a0c-9c3c-2f6f6f0e7d53',
      user_id: 1,
      goal: 'Größe 🙂',
      status: 'completed',
      posture: 'sandboxed',
      request: '{"config":{}}',
      plan: '{"steps":[]}',
      summary: '1 of 1 steps done.',
      error: null,
      search_text: 'größe 🙂',
      parent_run_id: null,
      batch_id: null,
      workflow_id: null,
      created_at: at,
      updated_at: at,
      finished_at: at,
    },
  ],
  agent_events: [
    {
      run_id: '1c6e0f0e-7d52-4a0c-9c3c-2f6f6f0e7d53',
      sequence: 0,
      at,
      type: 'run_created',
      data: '{"goal":"Größe 🙂"}',
    },
  ],
  workflows: [
    {
      id: '2d7f1a1f-8e63-4b1d-8d4d-3a7a7a1f8e64',
      user_id: 1,
      published: true,
      revision: 2,
      created_at: at,
      updated_at: at,
    },
  ],
  workflow_revisions: [
    {
      workflow_id: '2d7f1a1f-8e63-4b1d-8d4d-3a7a7a1f8e64',
      revision: 1,
      name: 'Größe 🙂',
      description: '',
      step_count: 1,
      body: '{"inputSchema":{},"plan":{"steps":[{"title":"","tool":"delay","arguments":{"seconds":1},"dependsOn":[]}]},"layout":{}}',
      graph: null,
      created_at: at,
    },
    {
      workflow_id: '2d7f1a1f-8e63-4b1d-8d4d-3a7a7a1f8e64',
      revision: 2,
      name: 'Größe 🙂',
      description: 'two\nlines',
      step_count: 1,
      body: '{"inputSchema":{},"plan":{"steps":[{"title":"","tool":"delay","arguments":{"seconds":2},"dependsOn":[]}]},"layout":{"0":{"x":1,"y":-2.5}}}',
      graph: '{"nodes":[{"id":"ä"}],"edges":[]}',
      created_at: at,
    },
  ],
  cluster_hosts: [
    {
      id: '5fac4d4c-b196-4e4e-9c7f-6dada4d4cb19',
      name: 'Zoës Host',
      version: '4.0.0',
      state: 'gone',
      tools: '{"count_words":"1.0.0"}',
      schemas: '{"count_words":{"effect":"read","inputSchema":{"type":"object"}}}',
      started_at: at,
      last_seen_at: at,
    },
  ],
  cluster_requests: [
    {
      id: '6abd5e5d-c2a7-4f5f-8d8a-7ebeb5e5dc2a',
      run_id: '1c6e0f0e-7d52-4a0c-9c3c-2f6f6f0e7d53',
      kind: 'cancel',
      body: 'null',
      answer: null,
      created_at: at,
    },
  ],
  schedules: [
    {
      id: '3e8a2b2a-9f74-4c2e-9e5e-4b8b8b2a9f75',
      user_id: 1,
      state: 'active',
      definition:
        '{"workflowId":"2d7f1a1f-8e63-4b1d-8d4d-3a7a7a1f8e64","workflowName":"Größe 🙂","inputs":{"who":"Zoë"},"timing":{"cron":"30 8 * * 1-5","timeZone":"Europe/Berlin"}}',
      next_at: at,
      due_at: null,
      last_run:
        '{"runId":"1c6e0f0e-7d52-4a0c-9c3c-2f6f6f0e7d53","status":"completed","startedAt":"2026-01-31T23:59:59.123Z"}',
      history: '[]',
      created_at: at,
      updated_at: at,
    },
  ],
  model_usage: [
    {
      user_id: 1,
      day: '2026-01-31',
      provider: 'cloud_c',
      model: 'größe-1',
      conversation_id: '0b6e0f0e-7d52-4a0c-9c3c-2f6f6f0e7d52',
      input_tokens: 20,
      output_tokens: 10,
      cached_tokens: 5,
      reasoning_tokens: 3,
      estimated: 0,
    },
  ],
  chat_prompts: [
    {
      id: '7f6e0f0e-7d52-4a0c-9c3c-2f6f6f0e7d52',
      user_id: 1,
      name: 'größe',
      description: '',
      text: 'How big is {{thing}}? 🙂',
      created_at: at,
    },
  ],
  plugin_trust: [{ plugin_id: 'claude.acme-market.words', hash: 'ab'.repeat(32), trusted_at: at }],
};

/** Inserts the rows of every table in this schema. */
export async function fillTables(database: Database): Promise<void> {
  const tables = database.sequelize.getQueryInterface();
  for (const name of await tablesOf(database))
    await tables.bulkInsert(
      name,
      (sampleRows[name] ?? []).map((row) => ({ ...row })),
    );
}

/** Returns every row of every table, as the driver returns them. */
export async function allRows(database: Database): Promise<Record<string, Row[]>> {
  const found: Record<string, Row[]> = {};
  for (const name of await tablesOf(database)) {
    const rows = await database.select<Row>(`SELECT * FROM "${name}"`);
    found[name] = rows.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  return found;
}

export type Row = Record<string, unknown>;

/** Returns the tables that have sample rows and exist in this schema. */
async function tablesOf({ sequelize }: Database): Promise<string[]> {
  const tables = sequelize.getQueryInterface();
  const names: string[] = [];
  for (const name of Object.keys(sampleRows)) if (await tables.tableExists(name)) names.push(name);
  return names;
}

/** Returns the earlier rows; each must still exist with every value that it had. */
export function withoutNewColumns(
  before: Record<string, Row[]>,
  after: Record<string, Row[]>,
): Record<string, Row[]> {
  return Object.fromEntries(
    Object.entries(before).map(([table, rows]) => {
      const columns = Object.keys(rows[0] ?? {});
      const projected = (after[table] ?? []).map((row) =>
        Object.fromEntries(columns.map((column) => [column, row[column]])),
      );
      return [table, projected.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))];
    }),
  );
}
