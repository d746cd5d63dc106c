import { access, constants, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Message } from '../../../messages/index.ts';
import { connectionFailed } from '../connection-failed.ts';
import type { Database } from '../database.ts';
import type { DatabaseConfig } from '../database-config.ts';
import { inTrialFolder, isDatabaseThere, makeFolder, trialName } from '../database-folder.ts';
import { createProcesses } from '../../processes.ts';
import { type Bridge, startBridge } from './bridge-process.ts';
import { explainH2 } from './explain-h2.ts';
import { h2Database } from './h2-database.ts';
import { H2Engine, type H2Login, queryLimitMs } from './h2-engine.ts';
import { columnsSql, type FoundColumn, journalTable, type Trial } from '../schema-columns.ts';
import { checkH2Path, h2FileOf, h2PathOf } from './h2-file.ts';
import type { H2Session } from './h2-session.ts';
import {
  bridgeCommand,
  findH2Runtime,
  type H2Paths,
  type H2Runtime,
  refuseOtherVersion,
  missingForH2,
} from './h2-runtime.ts';

/** Access to H2 databases. Each open database has its own Java process. */
export interface H2 {
  /** Returns a sentence for a person if it cannot be used; otherwise null. */
  unavailable(): Promise<Message | null>;
  /** @throws HostError `connection_failed` with the reason */
  open(config: DatabaseConfig): Promise<Database>;
  /**
   * Tests a configuration without leaving anything behind: if the file does not exist, a temporary
   * one is created next to it. @throws HostError `connection_failed` with the reason
   */
  try(config: DatabaseConfig): Promise<Trial>;
}

/** Creates the access to H2, with a Java process for each open database. */
export function createH2(paths: H2Paths): H2 {
  /** Engines by file: a file that this host has locked is not in use by another program. */
  const openEngines = new Map<string, H2Engine>();
  return {
    unavailable: async () => missingForH2(await findH2Runtime(paths), paths),
    async open(config) {
      const login = loginOf(config);
      const { file } = login;
      await makeFolder(dirname(file));
      await isDatabaseThere(file);
      return withBridges(paths, async (start, release) => {
        const engine = new H2Engine(start, login);
        const { version } = await engine.bridge();
        openEngines.set(file, engine);
        return h2Database(engine, version, async () => {
          if (openEngines.get(file) === engine) openEngines.delete(file);
          await release();
        });
      });
    },
    async try(config) {
      const login = loginOf(config);
      const { file } = login;
      const engine = openEngines.get(file);
      if (engine) return tryOpenEngine(engine, login);
      const exists = await isDatabaseThere(file);
      if (exists) await checkWritable(file);
      return inTrialFolder(dirname(file), () =>
        withBridges(paths, async (start, release) => {
          const trial = exists ? await tryExisting(start, login) : await tryNew(start, login);
          await release();
          return trial;
        }),
      );
    },
  };
}

async function tryExisting(start: () => Promise<Bridge>, login: H2Login): Promise<Trial> {
  const engine = new H2Engine(start, login);
  let schema: Omit<Trial, 'version'> = { applied: [], columns: [] };
  const bridge = await engine.reader(async (session) => {
    schema = await schemaIn(session);
  });
  await bridge.close();
  return { version: bridge.version, ...schema };
}

async function tryNew(start: () => Promise<Bridge>, login: H2Login): Promise<Trial> {
  const path = trialName(h2PathOf(login.file));
  const file = h2FileOf(path);
  try {
    const engine = new H2Engine(start, { ...login, file });
    const { version } = await engine.bridge();
    await engine.close();
    return { version, applied: [], columns: [] };
  } finally {
    for (const leftover of [file, `${path}.trace.db`]) await rm(leftover, { force: true });
  }
}

async function schemaIn(session: H2Session): Promise<Omit<Trial, 'version'>> {
  const rowsOf = async (sql: string): Promise<unknown[]> =>
    (await session.query({ sql }, queryLimitMs)).rows;
  const columns = (await rowsOf(columnsSql.H2)) as FoundColumn[];
  const applied = columns.some(({ owner_table: table }) => table === journalTable)
    ? ((await rowsOf(`SELECT "name" FROM "${journalTable}"`)) as { name: string }[])
    : [];
  return { applied: applied.map(({ name }) => name), columns };
}

async function checkWritable(file: string): Promise<void> {
  await access(file, constants.R_OK | constants.W_OK).catch((error: unknown) => {
    throw explainH2(error);
  });
}

async function tryOpenEngine(engine: H2Engine, login: H2Login): Promise<Trial> {
  try {
    const session = await engine.session(login);
    const schema = await schemaIn(session).finally(() => session.close());
    return { version: (await engine.bridge()).version, ...schema };
  } catch (error) {
    throw explainH2(error);
  }
}

/**
 * Runs `work` with a function that starts bridges; if it fails, they are ended and the reason is
 * thrown.
 */
async function withBridges<T>(
  paths: H2Paths,
  work: (start: () => Promise<Bridge>, release: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const processes = createProcesses();
  const start = async (): Promise<Bridge> => {
    const runtime = await findH2Runtime(paths);
    const missing = missingForH2(runtime, paths);
    if (missing !== null) throw connectionFailed(missing);
    const { java, jar, bridge } = runtime as H2Runtime & Record<'java' | 'jar' | 'bridge', string>;
    const started = await startBridge(processes, bridgeCommand(java, jar, bridge));
    refuseOtherVersion(started.version);
    return started;
  };
  try {
    return await work(start, () => processes.close());
  } catch (error) {
    await processes.close();
    throw explainH2(error);
  }
}

function loginOf(config: DatabaseConfig): H2Login {
  const path = config.filePath as string;
  checkH2Path(path);
  const { username: user = 'sa', password = '', folding } = config;
  return { file: h2FileOf(path), user, password, folding };
}
