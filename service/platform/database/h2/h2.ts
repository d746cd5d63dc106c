import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { connectionFailed } from '../connection-failed.ts';
import type { Database } from '../database.ts';
import type { DatabaseConfig } from '../database-config.ts';
import { createProcesses } from '../../processes.ts';
import { type Bridge, startBridge } from './bridge-process.ts';
import { explainH2 } from './explain-h2.ts';
import { checkFolder, explainFolder, makeFolder } from './h2-folder.ts';
import { h2Database } from './h2-database.ts';
import { H2Engine, type H2Login } from './h2-engine.ts';
import { checkH2Path, h2FileOf } from './h2-file.ts';
import {
  bridgeCommand,
  findH2Runtime,
  type H2Places,
  type H2Runtime,
  refuseOtherVersion,
  whatH2Misses,
} from './h2-runtime.ts';

export interface H2 {
  /** Null when it can be used; else a sentence for a person. */
  unavailable(): Promise<string | null>;
  /** @throws HostError `connection_failed` with the reason */
  open(config: DatabaseConfig): Promise<Database>;
  /**
   * Leaves nothing behind: of a file that is not there only the folder is looked at. Returns H2's version.
   * @throws HostError `connection_failed` with the reason
   */
  try(config: DatabaseConfig): Promise<string>;
}

/** H2 in a Java process of its own for each open database. */
export function createH2(places: H2Places): H2 {
  /** By file: what this host holds itself is no other program's. */
  const held = new Map<string, H2Engine>();
  return {
    unavailable: async () => whatH2Misses(await findH2Runtime(places), places),
    async open(config) {
      const login = loginOf(config);
      const { file } = login;
      await makeFolder(dirname(file));
      await isThere(file);
      return withBridges(places, async (start, release) => {
        const engine = new H2Engine(start, login);
        const { version } = await engine.bridge();
        held.set(file, engine);
        return h2Database(engine, version, async () => {
          if (held.get(file) === engine) held.delete(file);
          await release();
        });
      });
    },
    async try(config) {
      const login = loginOf(config);
      const { file } = login;
      const engine = held.get(file);
      if (engine) return tryHeld(engine, login);
      if (!(await isThere(file))) await checkFolder(dirname(file));
      return withBridges(places, async (start, release) => {
        const bridge = await new H2Engine(start, login).reader();
        await bridge.close();
        await release();
        return bridge.version;
      });
    },
  };
}

async function tryHeld(engine: H2Engine, login: H2Login): Promise<string> {
  try {
    const session = await engine.session(login);
    await session.close();
    return (await engine.bridge()).version;
  } catch (error) {
    throw explainH2(error);
  }
}

/** Runs `work` with what starts bridges; when it fails, those are ended and the reason is told. */
async function withBridges<T>(
  places: H2Places,
  work: (start: () => Promise<Bridge>, release: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const processes = createProcesses();
  const start = async (): Promise<Bridge> => {
    const runtime = await findH2Runtime(places);
    const missing = whatH2Misses(runtime, places);
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
  return { file: h2FileOf(path), user: config.username ?? 'sa', password: config.password ?? '' };
}

async function isThere(file: string): Promise<boolean> {
  const info = await stat(file).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw explainFolder(error);
  });
  if (info?.isDirectory()) throw connectionFailed('The H2 database file is a folder. Name a file.');
  return info !== null;
}
