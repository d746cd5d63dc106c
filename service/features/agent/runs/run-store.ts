import { DataTypes } from 'sequelize';
import type { RunEvent, RunStatus } from '../../../contract/index.ts';
import { Conditions } from '../../../platform/database/conditions.ts';
import type { Database } from '../../../platform/database/database.ts';
import { localUser } from '../../../platform/database/local-user.ts';
import { Table } from '../../../platform/database/table.ts';
import { isoOf } from '../../../platform/database/values.ts';
import { readStoredText, storedText } from '../../../messages/index.ts';
import { leaseLost } from './lease-lost.ts';
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
/** Columns that are read only if several hosts share the runs. */
const ownership = ['owner', 'generation'] as const;

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

interface StoredRun extends Stored {
  user_id: number;
  search_text: string;
  owner: string | null;
  generation: number;
}

const endStatuses: readonly RunStatus[] = ['completed', 'failed', 'cancelled', 'interrupted'];

/** Stores runs and their events. */
export class RunStore {
  private readonly database: Database;
  private readonly fenced: boolean;
  private readonly runs: Table<StoredRun>;
  private readonly runEvents: Table<StoredEvent>;

  /**
   * `fenced`: true if several hosts share the runs, so that only the owner of a run may write to
   * it.
   */
  constructor(database: Database, { fenced = false }: { fenced?: boolean } = {}) {
    this.database = database;
    this.fenced = fenced;
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
      owner: { type: DataTypes.STRING(36) },
      generation: { type: DataTypes.INTEGER },
    });
    this.runEvents = new Table(database, 'agent_events', {
      run_id: { type: DataTypes.STRING(36), allowNull: false },
      sequence: { type: DataTypes.INTEGER, allowNull: false },
      at: { type: DataTypes.DATE(3), allowNull: false },
      type: { type: DataTypes.STRING(50), allowNull: false },
      data: { type: DataTypes.TEXT, allowNull: false },
    });
  }

  private with<C extends readonly (keyof StoredRun)[]>(names: C) {
    return this.fenced ? [...names, ...ownership] : [...names];
  }

  async add(row: RunRow): Promise<void> {
    const { owner = null, generation = 0 } = row;
    await this.runs.model.create({ ...columnsOf(row), owner, generation, user_id: localUser });
  }

  /** @throws HostError `lease_lost` if another host has the run */
  async update(row: RunRow): Promise<void> {
    const { runId: id, generation } = row;
    const isFenced = this.fenced && generation !== undefined;
    const where = isFenced ? { id, generation } : { id };
    const [count] = await this.runs.model.update(columnsOf(row), { where });
    if (isFenced && count === 0) throw leaseLost();
  }

  /** Removes a run with its events. */
  async remove(id: string): Promise<void> {
    await this.database.sequelize.transaction(async (transaction) => {
      await this.runEvents.model.destroy({ where: { run_id: id }, transaction });
      await this.runs.model.destroy({ where: { id, user_id: localUser }, transaction });
    });
  }

  async find(id: string): Promise<RunRow | null> {
    const [found] = await this.runs.select(this.with(columns), {
      where: { id, user_id: localUser },
    });
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
    const found = await this.runs.select(this.with(listed), { where, order, limit });
    return found.map((row) => rowOf({ ...row, request: '{}', plan: null }));
  }

  /** Returns ids of runs that ended before that time, oldest first. */
  async endedBefore(time: Date, limit: number): Promise<string[]> {
    const where = Conditions.equal({ user_id: localUser, status: endStatuses });
    where.add(`finished_at < ${where.value(time)}`);
    const order = ['finished_at'] as const;
    const found = await this.runs.select(['id'], { where, order, limit });
    return found.map(({ id }) => id);
  }

  /** Returns runs without an end in their rows. */
  async unended(): Promise<RunRow[]> {
    const ended = endStatuses.map((status) => `'${status}'`).join(', ');
    const where = new Conditions(`status NOT IN (${ended})`);
    return (await this.runs.select(this.with(columns), { where, order: ['created_at'] })).map(
      rowOf,
    );
  }

  /**
   * `data` is JSON. Resolves when the event is durable; concurrent events share one commit. A
   * `series` is stored without gaps.
   * @throws HostError `lease_lost` if another host has stored an event with that number
   */
  async addEvent(
    runId: string,
    { sequence, at, type }: RunEvent,
    data: string,
    series?: object,
  ): Promise<void> {
    const row = { run_id: runId, sequence, at: new Date(at), type, data };
    const added = this.database.insert('agent_events', row, series);
    await (this.fenced ? added.catch(orLeaseLost) : added);
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

/** Two hosts that write to the same run collide at the number of the next event. */
function orLeaseLost(error: unknown): never {
  throw (error as Error).name === 'SequelizeUniqueConstraintError' ? leaseLost() : error;
}

const rowOf = (row: Stored & Partial<StoredRun>): RunRow => ({
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
  ...(row.owner === undefined ? {} : { owner: row.owner }),
  ...(row.generation === undefined ? {} : { generation: row.generation }),
});
