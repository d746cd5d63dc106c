import { api, type NewNotification, Notification } from '../../contract/index.ts';
import type { Client } from '../../client/index.ts';
import type { Attempts } from './attempt.ts';
import type { Random } from './random.ts';

const retention = 200;
const listed = 100;
/** Changes only these, because older notifications may be trimmed. */
const recent = 50;

type Certainty = 'no' | 'maybe' | 'yes';

interface Sent {
  content: NewNotification;
  /** Null until it was acknowledged or observed. */
  row: Notification | null;
  removed: Certainty;
  read: Certainty;
}

/** Sends notifications and records the answers. */
export class NotificationWriters {
  private readonly sent = new Map<string, Sent>();
  private readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  async work(client: Client, attempts: Attempts): Promise<void> {
    const post = async (): Promise<void> => {
      while (!attempts.stopped) await this.post(client, attempts);
    };
    const change = async (): Promise<void> => {
      while (!attempts.stopped) await this.change(client, attempts);
    };
    const list = async (): Promise<void> => {
      while (!attempts.stopped) await this.checkList(client, attempts);
    };
    await Promise.all([post(), post(), post(), change(), list()]);
  }

  private async post(client: Client, attempts: Attempts): Promise<void> {
    const title = `notification ${this.sent.size}`;
    const content: NewNotification = {
      source: 'host',
      level: this.random.pick(['info', 'success', 'warning', 'error'] as const),
      title,
      body: `${title} `.repeat(1 + this.random.below(100)),
      link: `/plugins?${this.sent.size}`,
    };
    const entry: Sent = { content, row: null, removed: 'no', read: 'no' };
    this.sent.set(title, entry);
    const outcome = await attempts.make(() =>
      client.call(api.notifications.create, { body: content }),
    );
    if (outcome !== 'lost') entry.row = outcome.value;
  }

  private async change(client: Client, attempts: Attempts): Promise<void> {
    const mine = this.acknowledged().slice(0, recent);
    if (mine.length === 0) {
      await attempts.make(() => client.call(api.notifications.unreadCount));
      return;
    }
    const entry = this.random.pick(mine);
    const params = { id: entry.row!.id };
    if (this.random.below(2) === 0) {
      if (entry.read === 'no') entry.read = 'maybe';
      const outcome = await attempts.make(() => client.call(api.notifications.read, { params }));
      if (outcome !== 'lost') entry.read = 'yes';
    } else {
      entry.removed = 'maybe';
      const outcome = await attempts.make(() => client.call(api.notifications.remove, { params }));
      if (outcome !== 'lost') entry.removed = 'yes';
    }
  }

  private async checkList(client: Client, attempts: Attempts): Promise<void> {
    const query = { limit: String(1 + this.random.below(listed)) };
    const outcome = await attempts.make(() => client.call(api.notifications.list, { query }));
    if (outcome !== 'lost') for (const row of outcome.value) this.compare(row);
  }

  /**
   * Checks that all acknowledged notifications are stored unchanged, and that no other is stored
   * partially.
   */
  async check(client: Client): Promise<void> {
    const rows = await client.call(api.notifications.list, { query: { limit: String(listed) } });
    for (const row of rows) this.compare(row);
    const ids = new Set(rows.map(({ id }) => id));
    if (ids.size !== rows.length) throw new Error('An id is in the list twice.');
    if (new Set(rows.map(({ title }) => title)).size !== rows.length)
      throw new Error('A notification is there twice.');
    const oldest = rows.length < listed ? 0 : Math.min(...rows.map(({ id }) => Number(id)));
    const acknowledged = this.acknowledged();
    for (const { row, content } of acknowledged) {
      if (Number(row!.id) >= oldest && !ids.has(row!.id))
        throw new Error(`${content.title} was acknowledged and is lost.`);
    }
    await this.checkOlder(client, acknowledged, oldest);
    for (const { id, title } of rows) {
      const entry = this.sent.get(title)!;
      entry.row ??= rows.find((row) => row.id === id)!;
    }
  }

  /** Requests a few that are in no list but too recent to be trimmed. */
  private async checkOlder(client: Client, acknowledged: Sent[], oldest: number): Promise<void> {
    const unsure = [...this.sent.values()].filter(({ row }) => row === null).length;
    const removed = [...this.sent.values()].filter((one) => one.removed !== 'no').length;
    const older = acknowledged
      .slice(0, Math.max(0, retention - unsure - removed))
      .filter(({ row }) => Number(row!.id) < oldest);
    for (let n = 0; n < 3 && older.length > 0; n += 1) {
      const entry = this.random.pick(older);
      const row = await client.call(api.notifications.read, { params: { id: entry.row!.id } });
      entry.read = 'yes';
      this.compare(row);
    }
  }

  /** Acknowledged and not deleted, newest first. */
  private acknowledged(): Sent[] {
    return [...this.sent.values()]
      .filter(({ row, removed }) => row !== null && removed === 'no')
      .sort((a, b) => Number(b.row!.id) - Number(a.row!.id));
  }

  private compare(row: Notification): void {
    Notification.strict().parse(row);
    const entry = this.sent.get(row.title);
    if (!entry) throw new Error(`Nobody sent ${JSON.stringify(row)}.`);
    const wrong = Object.entries({ ...entry.content, ...fixedOf(entry) }).filter(
      ([key, value]) => row[key as keyof Notification] !== value,
    );
    if (wrong.length > 0)
      throw new Error(`${JSON.stringify(row)} should have ${JSON.stringify(wrong)}.`);
    if (row.read !== (row.readAt !== null)) throw new Error(`${JSON.stringify(row)} is half read.`);
  }
}

function fixedOf({ row }: Sent): Partial<Notification> {
  return row === null ? {} : { id: row.id, createdAt: row.createdAt };
}
