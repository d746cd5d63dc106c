import { DataTypes, type Model, type ModelStatic } from 'sequelize';
import type { RunEvent, RunStatus } from '../../../contract/index.ts';
import { Conditions } from '../../../platform/database/conditions.ts';
import { defineTable } from '../../../platform/database/define-table.ts';
import type { Database } from '../../../platform/database/database.ts';
import { localUser } from '../../../platform/database/local-user.ts';
import { isoOf } from '../../../platform/database/values.ts';
import { type RunRow, searchTextOf } from './run-row.ts';

const columns =
  'id, goal, status, posture, request, plan, summary, error, parent_run_id, batch_id, workflow_id, created_at, updated_at, finished_at';
/** A list needs no plan. */
const listed = columns
  .replace(' plan,', ' NULL AS plan,')
  .replace(' request,', ` '{}' AS request,`);

export interface RunQuery {
  /** Searched for in goal, summary and error, whatever the case of letters. */
  q: string | null;
  limit: number;
  /** Only what comes after that one in the list. */
  before: string | null;
  /** Null: of whatever batch, or from whatever run. */
  batchId: string | null;
  parentRunId: string | null;
}

interface Stored {
  id: string;
  goal: string;
  status: string;
  posture: string;
  request: string;
  plan: string | null;
  summary: string | null;
  error: string | null;
  parent_run_id: string | null;
  batch_id: string | null;
  workflow_id: string | null;
  created_at: Date | string;
  updated_at: Date | string;
  finished_at: Date | string | null;
}

const endings: readonly RunStatus[] = ['completed', 'failed', 'cancelled', 'interrupted'];

/** Runs, and their events in order. */
export class RunStore {
  private readonly database: Database;
  private readonly rows: ModelStatic<Model>;

  constructor(database: Database) {
    this.database = database;
    this.rows = defineTable(database.sequelize, 'agent_runs', {
      id: { type: DataTypes.STRING(36), primaryKey: true },
      user_id: { type: DataTypes.INTEGER, allowNull: false },
      goal: DataTypes.TEXT,
      request: DataTypes.TEXT,
      plan: DataTypes.TEXT,
      summary: DataTypes.TEXT,
      error: DataTypes.TEXT,

      search_text: DataTypes.TEXT,
      status: DataTypes.STRING(30),
      posture: DataTypes.STRING(30),
      parent_run_id: { type: DataTypes.STRING(36) },
      batch_id: { type: DataTypes.STRING(36) },
      workflow_id: { type: DataTypes.STRING(100) },
      created_at: { type: DataTypes.DATE(3), allowNull: false },
      updated_at: { type: DataTypes.DATE(3), allowNull: false },
      finished_at: { type: DataTypes.DATE(3) },
    });
  }

  async add(row: RunRow): Promise<void> {
    await this.rows.create({ ...columnsOf(row), user_id: localUser });
  }

  async update(row: RunRow): Promise<void> {
    await this.rows.update(columnsOf(row), { where: { id: row.runId } });
  }

  async find(id: string): Promise<RunRow | null> {
    const sql = `SELECT ${columns} FROM agent_runs WHERE id = $1 AND user_id = ${localUser}`;
    const [found] = await this.database.select<Stored>(sql, [id]);
    return found ? rowOf(found) : null;
  }

  /** The newest first. */
  async list({ q, limit, before, batchId, parentRunId }: RunQuery): Promise<RunRow[]> {
    const where = new Conditions(`user_id = ${localUser}`);
    if (q !== null) where.add(where.contains('search_text', q));
    if (batchId !== null) where.add(`batch_id = ${where.value(batchId)}`);
    if (parentRunId !== null) where.add(`parent_run_id = ${where.value(parentRunId)}`);
    if (before !== null) where.addAfter({ table: 'agent_runs', at: 'created_at' }, before);
    const sql = `SELECT ${listed} FROM agent_runs WHERE ${where.text}
       ORDER BY created_at DESC, id DESC LIMIT ${limit}`;
    return (await this.database.select<Stored>(sql, where.values)).map(rowOf);
  }

  /** Those that have not ended as far as the rows say. */
  async unended(): Promise<RunRow[]> {
    const ended = endings.map((status) => `'${status}'`).join(', ');
    const sql = `SELECT ${columns} FROM agent_runs WHERE status NOT IN (${ended}) ORDER BY created_at`;
    return (await this.database.select<Stored>(sql)).map(rowOf);
  }

  /** `data` is its JSON. Durable when it resolves; what comes at the same time shares one commit. Of a `series` there are no gaps. */
  async addEvent(
    runId: string,
    { sequence, at, type }: RunEvent,
    data: string,
    series?: object,
  ): Promise<void> {
    const row = { run_id: runId, sequence, at: new Date(at), type, data };
    await this.database.insert('agent_events', row, series);
  }

  /** Those behind the one of that number, in order. */
  async events(runId: string, after = -1): Promise<RunEvent[]> {
    const found = await this.database.select<Omit<RunEvent, 'at' | 'data'> & StoredEvent>(
      `SELECT sequence, at, type, data FROM agent_events
       WHERE run_id = $1 AND sequence > $2 ORDER BY sequence`,
      [runId, after],
    );
    return found.map(({ sequence, at, type, data }) => ({
      sequence,
      at: isoOf(at),
      type,
      data: JSON.parse(data) as Record<string, unknown>,
    }));
  }
}

interface StoredEvent {
  at: Date | string;
  data: string;
}

const columnsOf = (row: RunRow): Stored & { search_text: string } => ({
  id: row.runId,
  goal: row.goal,
  status: row.status,
  posture: row.posture,
  request: JSON.stringify(row.request),
  plan: row.plan === null ? null : JSON.stringify(row.plan),
  summary: row.summary,
  error: row.error,
  search_text: searchTextOf(row),
  parent_run_id: row.parentRunId,
  batch_id: row.batchId,
  workflow_id: row.workflowId,
  created_at: new Date(row.createdAt),
  updated_at: new Date(row.updatedAt),
  finished_at: row.finishedAt === null ? null : new Date(row.finishedAt),
});

const rowOf = (row: Stored): RunRow => ({
  runId: row.id,
  goal: row.goal,
  status: row.status as RunRow['status'],
  posture: row.posture as RunRow['posture'],
  request: JSON.parse(row.request) as RunRow['request'],
  plan: row.plan === null ? null : (JSON.parse(row.plan) as RunRow['plan']),
  summary: row.summary,
  error: row.error,
  parentRunId: row.parent_run_id,
  batchId: row.batch_id,
  workflowId: row.workflow_id,
  createdAt: isoOf(row.created_at),
  updatedAt: isoOf(row.updated_at),
  finishedAt: isoOf(row.finished_at),
});
