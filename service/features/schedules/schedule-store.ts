import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { PermissionMode, ScheduleEvent, ScheduleRun, ScheduleState } from '../../contract/index.ts';
import type { Database } from '../../platform/database/database.ts';
import { localUser } from '../../platform/database/local-user.ts';
import { Table } from '../../platform/database/table.ts';
import type { ScheduleRow } from './schedule-row.ts';

const Definition = z.object({
  workflowId: z.string(),
  workflowName: z.string(),
  inputs: z.record(z.string(), z.unknown()),
  permissionMode: PermissionMode.optional(),
  timing: z.object({ cron: z.string(), timeZone: z.string() }),
});

interface Stored {
  id: string;
  state: string;
  definition: string;
  next_at: Date | string | null;
  due_at: Date | string | null;
  last_run: string | null;
  history: string;
  created_at: Date | string;
}

const stored = [
  'id',
  'state',
  'definition',
  'next_at',
  'due_at',
  'last_run',
  'history',
  'created_at',
] as const;

/** Stores the durable schedules. */
export class ScheduleStore {
  private readonly table: Table<Stored & { user_id: number; updated_at: Date | string }>;

  constructor(database: Database) {
    const required = { allowNull: false };
    this.table = new Table(database, 'schedules', {
      id: { type: DataTypes.STRING(36), primaryKey: true },
      user_id: { type: DataTypes.INTEGER, ...required },
      state: { type: DataTypes.STRING(20), ...required },
      definition: { type: DataTypes.TEXT, ...required },
      next_at: { type: DataTypes.DATE(3) },
      due_at: { type: DataTypes.DATE(3) },
      last_run: { type: DataTypes.TEXT },
      history: { type: DataTypes.TEXT, ...required },
      created_at: { type: DataTypes.DATE(3), ...required },
      updated_at: { type: DataTypes.DATE(3), ...required },
    });
  }

  /** Returns the schedules in creation order. */
  async all(): Promise<ScheduleRow[]> {
    const found = await this.table.select(stored, {
      where: { user_id: localUser },
      order: ['created_at', 'id'],
    });
    return found.map(rowOf);
  }

  async add(row: ScheduleRow): Promise<void> {
    await this.table.model.create({ ...columnsOf(row), user_id: localUser });
  }

  async save(row: ScheduleRow): Promise<void> {
    await this.table.model.update(columnsOf(row), { where: { id: row.id } });
  }

  /** Returns false if the due time has changed: another host has handled it. */
  async claim(row: ScheduleRow, dueMs: number): Promise<boolean> {
    const where = { id: row.id, state: 'active', next_at: new Date(dueMs) };
    const [count] = await this.table.model.update(columnsOf(row), { where });
    return count > 0;
  }

  async find(id: string): Promise<ScheduleRow | null> {
    const [found] = await this.table.select(stored, { where: { id, user_id: localUser } });
    return found ? rowOf(found) : null;
  }

  async remove(id: string): Promise<void> {
    await this.table.model.destroy({ where: { id } });
  }
}

const dateOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
const timeOf = (date: Date | string | null): number | null =>
  date === null ? null : new Date(date).getTime();

const columnsOf = (row: ScheduleRow) => ({
  id: row.id,
  state: row.state,
  definition: JSON.stringify(row.order),
  next_at: dateOf(row.nextMs),
  due_at: dateOf(row.doneMs),
  last_run: row.lastRun === null ? null : JSON.stringify(row.lastRun),
  history: JSON.stringify(row.history),
  created_at: new Date(row.createdMs),
  updated_at: new Date(),
});

const rowOf = (row: Stored): ScheduleRow => ({
  id: row.id,
  state: ScheduleState.parse(row.state),
  order: Definition.parse(JSON.parse(row.definition)),
  nextMs: timeOf(row.next_at),
  doneMs: timeOf(row.due_at),
  expiresMs: null,
  // H2 stores a missing text as an empty one.
  lastRun: row.last_run ? ScheduleRun.parse(JSON.parse(row.last_run)) : null,
  history: z.array(ScheduleEvent).parse(JSON.parse(row.history)),
  createdMs: new Date(row.created_at).getTime(),
});
