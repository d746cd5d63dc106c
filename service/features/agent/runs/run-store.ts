import { DataTypes } from 'sequelize';
import type { RunEvent, RunStatus } from '../../../contract/index.ts';
import { Conditions } from '../../../platform/database/conditions.ts';
import type { Database } from '../../../platform/database/database.ts';
import { localUser } from '../../../platform/database/local-user.ts';
import { Table } from '../../../platform/database/table.ts';
import { isoOf } from '../../../platform/database/values.ts';
import { readStoredText, storedText } from '../../../messages/index.ts';
import { type RunRow, searchTextOf } from './run-row.ts';

/** Columns that lists need. */
const listed = [
  'id',
  'goal',
  'status',
  'posture',
  'summary',
  'error',
  'parent_run_id',
  'batch_id',
  'workflow_id',
  'created_at',
  'updated_at',
  'finished_at',
] as const;
const columns = [...listed, 'request', 'plan'] as const;

/** Filters and page of a list of runs. */
export interface RunQuery {
  /** Substring of goal, summary and error, case-insensitive. */
  q?: string | undefined;
  limit: number;
  /** Id of the last run of the previous page. */
  before?: string | undefined;
  batchId?: string | undefined;
  parentRunId?: string | undefined;
  workflowId?: string | undefined;
  status?: readonly RunStatus[] | undefined;
  /** Created at that time or later. */
  since?: string | undefined;
  /** Created before that time. */
  until?: string | undefined;
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

/** Stores runs and their events. */
export class RunStore {
  private readonly database: Database;
  private readonly runs: Table<Stored & { user_id: number; search_text: string }>;
  private readonly runEvents: Table<StoredEvent>;

  constructor(database: Database) {
    this.database = database;
    this.runs = new Table(database, 'agent_runs', {
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
    this.runEvents = new Table(database, 'agent_events', {
      run_id: { type: DataTypes.STRING(36), allowNull: false },
      sequence: { type: DataTypes.INTEGER, allowNull: false },
      at: { type: DataTypes.DATE(3), allowNull: false },
      type: { type: DataTypes.STRING(50), allowNull: false },
      data: { type: DataTypes.TEXT, allowNull: false },
    });
  }

  async add(row: RunRow): Promise<void> {
    await this.runs.model.create({ ...columnsOf(row), user_id: localUser });
  }

  async update(row: RunRow): Promise<void> {
    await this.runs.model.update(columnsOf(row), { where: { id: row.runId } });
  }

  /** With its events. */
  async remove(id: string): Promise<void> {
    await this.database.sequelize.transaction(async (transaction) => {
      await this.runEvents.model.destroy({ where: { run_id: id }, transaction });
      await this.runs.model.destroy({ where: { id, user_id: localUser }, transaction });
    });
  }

  async find(id: string): Promise<RunRow | null> {
    const [found] = await this.runs.select(columns, { where: { id, user_id: localUser } });
    return found ? rowOf(found) : null;
  }

  /** Newest first. */
  async list({ q, limit, before, ...about }: RunQuery): Promise<RunRow[]> {
    const where = Conditions.equal({
      user_id: localUser,
      batch_id: about.batchId,
      parent_run_id: about.parentRunId,
      workflow_id: about.workflowId,
      status: about.status,
    });
    const { since, until } = about;
    if (since !== undefined) where.add(`created_at >= ${where.value(new Date(since))}`);
    if (until !== undefined) where.add(`created_at < ${where.value(new Date(until))}`);
    if (q !== undefined) where.add(where.contains('search_text', q));
    if (before !== undefined) where.addAfter({ table: 'agent_runs', at: 'created_at' }, before);
    const order = ['created_at DESC', 'id DESC'] as const;
    const found = await this.runs.select(listed, { where, order, limit });
    return found.map((row) => rowOf({ ...row, request: '{}', plan: null }));
  }

  /** Ids of runs that ended before that time, the oldest first. */
  async endedBefore(time: Date, limit: number): Promise<string[]> {
    const where = Conditions.equal({ user_id: localUser, status: endings });
    where.add(`finished_at < ${where.value(time)}`);
    const order = ['finished_at'] as const;
    const found = await this.runs.select(['id'], { where, order, limit });
    return found.map(({ id }) => id);
  }

  /** Runs that have no end in their rows. */
  async unended(): Promise<RunRow[]> {
    const ended = endings.map((status) => `'${status}'`).join(', ');
    const where = new Conditions(`status NOT IN (${ended})`);
    return (await this.runs.select(columns, { where, order: ['created_at'] })).map(rowOf);
  }

  /**
   * `data` is JSON. Resolves when the event is durable; concurrent events share one commit. A
   * `series` is stored without gaps.
   */
  async addEvent(
    runId: string,
    { sequence, at, type }: RunEvent,
    data: string,
    series?: object,
  ): Promise<void> {
    const row = { run_id: runId, sequence, at: new Date(at), type, data };
    await this.database.insert('agent_events', row, series);
  }

  /** Events with a number above `after`, in order. */
  async events(runId: string, after = -1): Promise<RunEvent[]> {
    const where = Conditions.equal({ run_id: runId });
    where.add(`sequence > ${where.value(after)}`);
    const found = await this.runEvents.select(['sequence', 'at', 'type', 'data'], {
      where,
      order: ['sequence'],
    });
    return found.map(({ sequence, at, type, data }) => ({
      sequence,
      at: isoOf(at),
      type,
      data: JSON.parse(data) as Record<string, unknown>,
    }));
  }
}

interface StoredEvent extends Pick<RunEvent, 'sequence' | 'type'> {
  run_id: string;
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
  summary: row.summary === null ? null : storedText(row.summary),
  error: row.error === null ? null : storedText(row.error),
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
  summary: row.summary === null ? null : readStoredText(row.summary),
  error: row.error === null ? null : readStoredText(row.error),
  parentRunId: row.parent_run_id,
  batchId: row.batch_id,
  workflowId: row.workflow_id,
  createdAt: isoOf(row.created_at),
  updatedAt: isoOf(row.updated_at),
  finishedAt: isoOf(row.finished_at),
});
