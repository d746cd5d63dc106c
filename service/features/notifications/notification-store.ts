import { DataTypes, type Model, type ModelStatic, Op } from 'sequelize';
import type { NewNotification, Notification } from '../../contract/index.ts';
import type { Database } from '../../platform/database/database.ts';
import { isoOf } from '../../platform/database/values.ts';

/** So many rows an installation keeps. */
export const retention = 200;

/** Everything belongs to the one local user. */
const localUser = 1;

interface Row {
  id: number;
  source: string;
  level: Notification['level'];
  title: string;
  body: string | null;
  link: string | null;
  created_at: Date | string;
  read_at: Date | string | null;
}

export class NotificationStore {
  private readonly rows: ModelStatic<Model>;
  private trimming: Promise<unknown> = Promise.resolve();

  constructor(database: Database) {
    this.rows = database.sequelize.define(
      'notification',
      {
        id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true },
        user_id: { type: DataTypes.INTEGER, allowNull: false },
        source: { type: DataTypes.STRING(200), allowNull: false },
        level: { type: DataTypes.STRING(10), allowNull: false },
        title: { type: DataTypes.STRING(200), allowNull: false },
        body: { type: DataTypes.TEXT },
        link: { type: DataTypes.TEXT },
        created_at: { type: DataTypes.DATE(3), allowNull: false },
        read_at: { type: DataTypes.DATE(3) },
      },
      { tableName: 'notifications', timestamps: false },
    );
  }

  async add(notification: NewNotification): Promise<Notification> {
    const { source, level, title, body = null, link = null } = notification;
    const values = {
      user_id: localUser,
      source,
      level,
      title,
      body,
      link,
      created_at: new Date(),
      read_at: null,
    };
    const created = await this.rows.create(values);
    const row = created.get({ plain: true }) as Row;
    this.trimming = this.trimming.then(() => this.trim(row.id)).catch(() => undefined);
    await this.trimming;
    return viewOf(row);
  }

  /** Removes what is older than the newest 200; ids only grow, so the oldest kept row is the mark. */
  private async trim(newestId: number): Promise<void> {
    if (newestId <= retention) return;
    const mark = await this.rows.findOne({
      attributes: ['id'],
      order: [['id', 'DESC']],
      offset: retention,
      raw: true,
    });
    if (mark) await this.rows.destroy({ where: { id: { [Op.lte]: (mark as unknown as Row).id } } });
  }

  async newest(limit: number, unreadOnly: boolean): Promise<Notification[]> {
    const where = unreadOnly ? { read_at: null } : {};
    const rows = await this.rows.findAll({ where, order: [['id', 'DESC']], limit, raw: true });
    return (rows as unknown as Row[]).map(viewOf);
  }

  async find(id: string): Promise<Notification | null> {
    const row = isId(id) ? await this.rows.findOne({ where: { id }, raw: true }) : null;
    return row === null ? null : viewOf(row as unknown as Row);
  }

  /** Whether one of that source, title and body is in the history. */
  async has({ source, title, body = null }: NewNotification): Promise<boolean> {
    const rows = await this.rows.findAll({ where: { source, title }, raw: true });
    return (rows as unknown as Row[]).some((row) => row.body === body);
  }

  countUnread(): Promise<number> {
    return this.rows.count({ where: { read_at: null } });
  }

  async markRead(id: string): Promise<void> {
    if (isId(id)) await this.rows.update({ read_at: new Date() }, { where: { id, read_at: null } });
  }

  async markAllRead(): Promise<number> {
    const [updated] = await this.rows.update({ read_at: new Date() }, { where: { read_at: null } });
    return updated;
  }

  async remove(id: string): Promise<boolean> {
    return isId(id) && (await this.rows.destroy({ where: { id } })) > 0;
  }
}

/** What no column of this type can hold is an id that nobody has. */
const maxId = 2_147_483_647;
const isId = (id: string): boolean => /^\d{1,10}$/.test(id) && Number(id) <= maxId;

function viewOf(row: Row): Notification {
  const { id, source, level, title, body, link, read_at } = row;
  const createdAt = isoOf(row.created_at);
  return {
    id: String(id),
    source,
    level,
    title,
    body,
    link,
    read: read_at !== null,
    createdAt,
    readAt: isoOf(read_at),
  };
}
