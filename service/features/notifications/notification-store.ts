import { DataTypes, Op } from 'sequelize';
import type { NewNotification, Notification } from '../../contract/index.ts';
import type { Database } from '../../platform/database/database.ts';
import { Conditions } from '../../platform/database/conditions.ts';
import { localUser } from '../../platform/database/local-user.ts';
import { isId } from '../../platform/database/numeric-id.ts';
import { Table } from '../../platform/database/table.ts';
import { isoOf } from '../../platform/database/values.ts';
import { type HostText, isMessage } from '../../messages/index.ts';
import type { HostNotification } from './host-notification.ts';
import { NewestIds } from './newest-ids.ts';
import { storedNotificationTexts } from './notification-messages.ts';

/** Number of notifications that an installation stores. */
export const retention = 200;

interface Row {
  id: number | string;
  source: string;
  level: Notification['level'];
  title: string;
  body: string | null;
  link: string | null;
  code: string | null;
  /** JSON. */
  parameters: string | null;
  created_at: Date | string;
  read_at: Date | string | null;
}

const columns = [
  'id',
  'source',
  'level',
  'title',
  'body',
  'link',
  'code',
  'parameters',
  'created_at',
  'read_at',
] as const;

/** Expired rows are deleted in batches of this size, so that adding stays fast. */
const trimEvery = 25;

/**
 * Stores notifications. Rows older than the newest 200 are invisible at once; they are deleted
 * later in batches.
 */
export class NotificationStore {
  private readonly database: Database;
  private readonly table: Table<Row & { user_id: number }>;
  private loading: Promise<NewestIds> | null = null;
  private fallen = 0;
  private trimming: Promise<unknown> = Promise.resolve();

  constructor(database: Database) {
    this.database = database;
    this.table = new Table(database, 'notifications', {
      id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true },
      user_id: { type: DataTypes.INTEGER, allowNull: false },
      source: { type: DataTypes.STRING(200), allowNull: false },
      level: { type: DataTypes.STRING(10), allowNull: false },
      title: { type: DataTypes.STRING(200), allowNull: false },
      body: { type: DataTypes.TEXT },
      link: { type: DataTypes.TEXT },
      code: { type: DataTypes.STRING(100) },
      parameters: { type: DataTypes.TEXT },
      created_at: { type: DataTypes.DATE(3), allowNull: false },
      read_at: { type: DataTypes.DATE(3) },
    });
  }

  async add(notification: NewNotification & Partial<HostNotification>): Promise<Notification> {
    const newest = await this.newestIds();
    const { source, level, title, body = null, link = null, code = null } = notification;
    const parameters = notification.parameters ? JSON.stringify(notification.parameters) : null;
    const created_at = new Date();
    const row = { source, level, title, body, link, code, parameters, created_at, read_at: null };
    const id = await this.database.insert('notifications', { user_id: localUser, ...row });
    if (newest.add(id)) this.trimSometimes(newest);
    return viewOf({ id, ...row });
  }

  async newest(limit: number, unreadOnly: boolean): Promise<Notification[]> {
    const where = Conditions.equal({ read_at: unreadOnly ? null : undefined });
    where.add(`id > ${where.value(await this.expiredUpTo())}`);
    const rows = await this.table.select(columns, { where, order: ['id DESC'], limit });
    return rows.map(viewOf);
  }

  async find(id: string): Promise<Notification | null> {
    const where = await this.retainedOne(id);
    const [row] = where === null ? [] : await this.table.select(columns, { where });
    return row === undefined ? null : viewOf(row);
  }

  /** Returns true if the history has a notification with the same source, title and body. */
  async has({ source, title, body = null }: NewNotification): Promise<boolean> {
    const where = Conditions.equal({ source, title });
    where.add(`id > ${where.value(await this.expiredUpTo())}`);
    return (await this.table.select(['body'], { where })).some((row) => row.body === body);
  }

  async countUnread(): Promise<number> {
    return this.table.model.count({ where: { ...(await this.retainedWhere()), read_at: null } });
  }

  async markRead(id: string): Promise<void> {
    const where = await this.retainedOne(id);
    if (where)
      await this.table.model.update(
        { read_at: new Date() },
        { where: { ...where, read_at: null } },
      );
  }

  async markAllRead(): Promise<number> {
    const where = { ...(await this.retainedWhere()), read_at: null };
    const [updated] = await this.table.model.update({ read_at: new Date() }, { where });
    return updated;
  }

  async remove(id: string): Promise<boolean> {
    const where = await this.retainedOne(id);
    if (!where || (await this.table.model.destroy({ where })) === 0) return false;
    (await this.newestIds()).remove(Number(id));
    return true;
  }

  /** Called when other hosts have changed the rows. */
  forgetIds(): void {
    this.loading = null;
  }

  private newestIds(): Promise<NewestIds> {
    this.loading ??= this.loadIds().catch((error: unknown) => {
      this.loading = null;
      throw error;
    });
    return this.loading;
  }

  private async loadIds(): Promise<NewestIds> {
    const found = await this.table.select(['id'], {
      where: {},
      order: ['id DESC'],
      limit: retention + 1,
    });
    const newest = new NewestIds(retention);
    for (const { id } of found.reverse()) newest.add(Number(id));
    return newest;
  }

  private async retainedWhere(): Promise<{ id: { [Op.gt]: number } }> {
    return { id: { [Op.gt]: await this.expiredUpTo() } };
  }

  private async expiredUpTo(): Promise<number> {
    return (await this.newestIds()).fallenUpTo;
  }

  private async retainedOne(id: string): Promise<{ id: number } | null> {
    if (!isId(id)) return null;
    return Number(id) > (await this.expiredUpTo()) ? { id: Number(id) } : null;
  }

  private trimSometimes({ fallenUpTo }: NewestIds): void {
    this.fallen += 1;
    if (this.fallen < trimEvery) return;
    this.fallen = 0;
    const where = { id: { [Op.lte]: fallenUpTo } };
    this.trimming = this.trimming
      .then(() => this.table.model.destroy({ where }))
      // The next deletion includes rows that remain.
      .catch(() => undefined);
  }
}

/** Columns that only notifications of the host have. */
function ofHost(
  code: string,
  json: string | null,
): Pick<Notification, 'code' | 'parameters' | 'titleMessage' | 'bodyMessage'> {
  const parameters = JSON.parse(json ?? '{}') as Record<string, unknown>;
  const texts = storedNotificationTexts(code, parameters);
  const { title, body }: { title?: HostText; body?: HostText } = texts ?? {};
  return {
    code,
    parameters,
    ...(title && isMessage(title) ? { titleMessage: title } : {}),
    ...(body && isMessage(body) ? { bodyMessage: body } : {}),
  };
}

function viewOf(row: Row): Notification {
  const { id, source, level, title, body, link, code, parameters, read_at } = row;
  const createdAt = isoOf(row.created_at);
  return {
    id: String(id),
    source,
    level,
    title,
    body,
    link,
    ...(code === null ? {} : ofHost(code, parameters)),
    read: read_at !== null,
    createdAt,
    readAt: isoOf(read_at),
  };
}
