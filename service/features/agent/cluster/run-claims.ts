import { createHash } from 'node:crypto';
import type { Database } from '../../../platform/database/database.ts';

/** An unended run that no host executes. */
export interface OrphanedRun {
  runId: string;
  generation: number;
}

const unended = `status IN ('planning', 'awaiting_plan_approval', 'running', 'awaiting_step_approval')`;
/** An active or draining host executes its runs itself. */
const liveOwners = `SELECT id FROM cluster_hosts WHERE state <> 'gone'
  AND last_seen_at > now() - $1::int * interval '1 millisecond'`;

/**
 * Stores which host owns which run: the row names the owner and a generation, which increases
 * whenever the owner changes. A host with an old generation has lost the run.
 */
export class RunClaims {
  private readonly database: Database;
  private readonly hostId: string;
  private readonly lostAfterMs: number;

  constructor(
    database: Database,
    { hostId, lostAfterMs }: { hostId: string; lostAfterMs: number },
  ) {
    this.database = database;
    this.hostId = hostId;
    this.lostAfterMs = lostAfterMs;
  }

  /**
   * Claims a run without an owner, of a lost host, or, with `mine`, of this host itself. Returns
   * the new generation; null if another host has it, it has ended, or, without `mine`, this host is
   * draining.
   */
  async claim(runId: string, mine: boolean): Promise<number | null> {
    const [row] = await this.database.select<{ generation: number }>(
      `UPDATE agent_runs SET owner = $2, generation = generation + 1
       WHERE id = $3 AND ${unended}
       AND (owner IS NULL OR ($4 AND owner = $2) OR owner NOT IN (${liveOwners}))
       AND ($4 OR EXISTS (SELECT 1 FROM cluster_hosts WHERE id = $2 AND state = 'up'))
       RETURNING generation`,
      [this.lostAfterMs, this.hostId, runId, mine],
    );
    return row?.generation ?? null;
  }

  /** Returns false once this host is draining, even if it does not know yet. */
  async mayTake(): Promise<boolean> {
    const sql = "SELECT id FROM cluster_hosts WHERE id = $1 AND state = 'up'";
    return (await this.database.select(sql, [this.hostId])).length > 0;
  }

  async isMine(runId: string, generation: number): Promise<boolean> {
    const rows = await this.database.select(
      'SELECT id FROM agent_runs WHERE id = $1 AND owner = $2 AND generation = $3',
      [runId, this.hostId, generation],
    );
    return rows.length > 0;
  }

  /** Returns unended runs of lost hosts, and those that were stored but never queued. */
  async orphaned(): Promise<OrphanedRun[]> {
    const rows = await this.database.select<{ id: string; generation: number }>(
      `SELECT id, generation FROM agent_runs WHERE ${unended} AND (
         (owner IS NOT NULL AND owner NOT IN (${liveOwners}))
         OR (owner IS NULL AND updated_at < now() - $1::int * interval '1 millisecond'))
       ORDER BY created_at`,
      [this.lostAfterMs],
    );
    return rows.map(({ id, generation }) => ({ runId: id, generation }));
  }

  /** Returns unended runs that this host owns. */
  async mine(): Promise<OrphanedRun[]> {
    const rows = await this.database.select<{ id: string; generation: number }>(
      `SELECT id, generation FROM agent_runs WHERE ${unended} AND owner = $1 ORDER BY created_at`,
      [this.hostId],
    );
    return rows.map(({ id, generation }) => ({ runId: id, generation }));
  }

  /** Returns the ids of unended runs by owner. */
  async byOwner(): Promise<Map<string, string[]>> {
    const rows = await this.database.select<{ id: string; owner: string }>(
      `SELECT id, owner FROM agent_runs WHERE ${unended} AND owner IS NOT NULL ORDER BY created_at`,
    );
    const grouped = Map.groupBy(rows, ({ owner }) => owner);
    return new Map([...grouped].map(([owner, of]) => [owner, of.map(({ id }) => id)]));
  }

  /** Returns the number of unended runs in the cluster, and of active hosts. */
  async load(): Promise<{ runs: number; hosts: number }> {
    const [row] = await this.database.select<{ runs: string; hosts: string }>(
      `SELECT (SELECT count(*) FROM agent_runs WHERE ${unended}) AS runs,
       (SELECT count(*) FROM cluster_hosts WHERE state = 'up'
        AND last_seen_at > now() - $1::int * interval '1 millisecond') AS hosts`,
      [this.lostAfterMs],
    );
    return { runs: Number(row?.runs ?? 0), hosts: Number(row?.hosts ?? 0) };
  }
}

/** Equal on every host that finds the run orphaned, so that its job is queued once. */
export function jobIdOf(runId: string, turn: string): string {
  const hex = createHash('sha256').update(`${runId} ${turn}`).digest('hex');
  const version = `8${hex.slice(13, 16)}`;
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    version,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
