import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { type DatabaseChange, databaseChange, DatabaseType } from '../contract/index.ts';
import { hostNotice, type NotificationCenter } from '../features/notifications/index.ts';
import type { PluginHost } from '../features/plugins/index.ts';
import type { StoredValue } from '../features/settings/index.ts';
import type { Log } from '../platform/log.ts';

const LastDatabase = z.object({ id: z.string(), type: DatabaseType });
type LastDatabase = z.output<typeof LastDatabase>;

/**
 * Name of the stored value with the id of a database, by which a working directory recognizes it
 * after a move.
 */
export const databaseIdName = 'databaseId';

/**
 * Stores in `file` which database the working directory uses. @returns the change if it was another
 * database before, otherwise null
 */
export async function rememberDatabase(
  file: string,
  type: DatabaseType,
  { storedId, log }: { storedId: StoredValue; log: Log },
): Promise<DatabaseChange | null> {
  const before = await readLast(file);
  const stored = await storedId.load();
  const id = typeof stored === 'string' ? stored : randomUUID();
  if (id !== stored) await storedId.save(id);
  if (before?.id === id) return null;
  const now: LastDatabase = { id, type };
  await writeFileAtomic(file, `${JSON.stringify(now)}\n`, { mode: 0o600 }).catch((error: unknown) =>
    log.warn('setup', `Which database is in use is not remembered: ${String(error)}`),
  );
  return before && databaseChange(before.type, type);
}

async function readLast(file: string): Promise<LastDatabase | null> {
  const text = await readFile(file, 'utf8').catch(() => '');
  try {
    return LastDatabase.parse(JSON.parse(text));
  } catch {
    // Missing or unreadable: no earlier database is known.
    return null;
  }
}

/** Sends a notification of the change and logs it. */
export async function notifyDatabaseChange(
  change: DatabaseChange,
  center: NotificationCenter,
  { plugins, log }: { plugins: PluginHost; log: Log },
): Promise<void> {
  const installed = plugins.list();
  const disabled = installed.filter(({ enabled }) => !enabled).length;
  const parameters = { ...change, plugins: installed.length, disabled };
  const notification = hostNotice('database_changed', parameters, {
    level: 'info',
    link: '/settings/data',
  });
  log.info('setup', `${notification.title}. ${notification.body ?? ''}`);
  await center.send(notification);
}
