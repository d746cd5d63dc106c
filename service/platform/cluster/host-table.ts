import type { Database } from '../database/database.ts';
import type { ClusterBus } from './cluster-bus.ts';

/** A host of the cluster as the others see it. */
export interface ClusterHost {
  id: string;
  name: string;
  version: string;
  startedAt: Date;
  lastSeenAt: Date;
  state: 'up' | 'draining' | 'lost';
  /** Versions of its tools by name. */
  tools: Readonly<Record<string, string>>;
}

/** Effects and input schemas for validating a plan, by tool name. */
export type ToolSchemas = Readonly<
  Record<string, { effect: string; inputSchema: Record<string, unknown> }>
>;

/** Tools that a host announces to the others, by name. */
export type AdvertisedTools = Readonly<Record<string, ToolSchemas[string] & { version: string }>>;

interface Row {
  id: string;
  name: string;
  version: string;
  state: 'up' | 'draining' | 'gone';
  tools: string;
  started_at: Date;
  last_seen_at: Date;
  silent_ms: string | number;
}

/** A lost host stays in the list for this time. */
const listedMs = 24 * 3_600_000;

const allSql = `SELECT id, name, version, state, tools, started_at, last_seen_at,
  EXTRACT(EPOCH FROM now() - last_seen_at) * 1000 AS silent_ms
  FROM cluster_hosts ORDER BY started_at, id`;

/** The rows of hosts. Times come from the database, so that differing clocks do not matter. */
export class HostTable {
  private readonly database: Database;
  private readonly lostAfterMs: number;

  constructor(database: Database, lostAfterMs: number) {
    this.database = database;
    this.lostAfterMs = lostAfterMs;
  }

  /** False before the first host of a release with clusters has prepared the database. */
  async exists(): Promise<boolean> {
    const sql = "SELECT to_regclass('cluster_hosts') IS NOT NULL AS found";
    const [row] = await this.database.select<{ found: boolean }>(sql);
    return row?.found === true;
  }

  /** Oldest first, without hosts that ended properly or were lost for more than a day. */
  async all(): Promise<ClusterHost[]> {
    const rows = await this.database.select<Row>(allSql);
    return rows
      .filter(({ state, silent_ms: ms }) => state !== 'gone' && Number(ms) < listedMs)
      .map((row) => ({
        id: row.id,
        name: row.name,
        version: row.version,
        startedAt: new Date(row.started_at),
        lastSeenAt: new Date(row.last_seen_at),
        state:
          Number(row.silent_ms) >= this.lostAfterMs ? 'lost' : (row.state as 'up' | 'draining'),
        tools: JSON.parse(row.tools) as Record<string, string>,
      }));
  }

  async names(): Promise<Map<string, string>> {
    const sql = 'SELECT id, name FROM cluster_hosts';
    const rows = await this.database.select<{ id: string; name: string }>(sql);
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  async register(host: Pick<ClusterHost, 'id' | 'name' | 'version'>): Promise<void> {
    await this.database.select(
      `INSERT INTO cluster_hosts (id, name, version, state, tools, schemas, started_at, last_seen_at)
       VALUES ($1, $2, $3, 'up', '{}', '{}', now(), now())
       ON CONFLICT (id) DO UPDATE SET name = $2, version = $3, state = 'up', tools = '{}', schemas = '{}',
       started_at = now(), last_seen_at = now() RETURNING id`,
      [host.id, host.name, host.version],
    );
  }

  /** Returns the stored state of the host; null if its row is missing. */
  async beat(id: string, bus: ClusterBus): Promise<string | null> {
    const [row] = await bus.query<{ state: string }>(
      'UPDATE cluster_hosts SET last_seen_at = now() WHERE id = $1 RETURNING state',
      [id],
      Math.max(this.lostAfterMs / 2, 500),
    );
    return row?.state ?? null;
  }

  async setTools(id: string, tools: AdvertisedTools): Promise<void> {
    const entries = Object.entries(tools);
    const versions = Object.fromEntries(entries.map(([name, { version }]) => [name, version]));
    const schemas = Object.fromEntries(
      entries.map(([name, { version: _, ...tool }]) => [name, tool]),
    );
    await this.database.select(
      'UPDATE cluster_hosts SET tools = $2, schemas = $3 WHERE id = $1 RETURNING id',
      [id, JSON.stringify(versions), JSON.stringify(schemas)],
    );
  }

  /** The tool schemas of one host, by name. */
  async schemas(id: string): Promise<ToolSchemas> {
    const [row] = await this.database.select<{ schemas: string }>(
      'SELECT schemas FROM cluster_hosts WHERE id = $1',
      [id],
    );
    return JSON.parse(row?.schemas ?? '{}') as ToolSchemas;
  }

  /** False for an unknown host. */
  async setState(id: string, state: 'up' | 'draining' | 'gone'): Promise<boolean> {
    const rows = await this.database.select(
      'UPDATE cluster_hosts SET state = $2 WHERE id = $1 RETURNING id',
      [id, state],
    );
    return rows.length > 0;
  }
}
