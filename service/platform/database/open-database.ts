import { HostError } from '../../core/host-error.ts';
import { withTimeout } from '../../core/with-timeout.ts';
import { type Message, msg, wireText } from '../../messages/index.ts';
import { connectionFailed } from './connection-failed.ts';
import type { Database } from './database.ts';
import type { DatabaseConfig } from './database-config.ts';
import { createEngines, type Engines } from './engines.ts';
import { migrations } from './migrate.ts';
import { refuseUnfit } from './unfit-schema.ts';

/** Limit of the start-up probe and of connection tests. */
const probeTimeoutMs = 5_000;

/**
 * Result of testing a connection; `message` and `text` contain the reason of a failure, in English
 * and as a message.
 */
export interface ConnectionTest {
  success: boolean;
  message?: string;
  text?: Message;
  serverVersion?: string;
  elapsedMs: number;
}

/**
 * Opens the database and queries its version within 5 s. @throws HostError `connection_failed` with
 * the reason
 */
export async function openDatabase(
  config: DatabaseConfig,
  engines: Engines = createEngines(),
): Promise<Database> {
  const engine = engines[config.type];
  return withinTime(engine.open(config), (late) => void late.close().catch(() => undefined));
}

/** Tests a configuration as `openDatabase` and an upgrade would use it; leaves nothing behind. */
export async function testDatabase(
  config: DatabaseConfig,
  engines: Engines = createEngines(),
): Promise<ConnectionTest> {
  const started = performance.now();
  const elapsed = (): number => Math.round(performance.now() - started);
  try {
    const trial = await withinTime(engines[config.type].try(config), () => undefined);
    const { version, applied, columns } = trial;
    await refuseUnfit({ applied, columns: () => columns }, migrations);
    return { success: true, serverVersion: version, elapsedMs: elapsed() };
  } catch (error) {
    const text = error instanceof HostError ? error.text : (error as Error).message;
    return { success: false, ...wireText('message', text), elapsedMs: elapsed() };
  }
}

async function withinTime<T>(work: Promise<T>, discard: (late: T) => void): Promise<T> {
  let late = false;
  work.then((value) => late && discard(value)).catch(() => undefined);
  return withTimeout(probeTimeoutMs, work, () => {
    late = true;
    return connectionFailed(msg('database.noAnswerInTime', { seconds: probeTimeoutMs / 1_000 }));
  });
}
