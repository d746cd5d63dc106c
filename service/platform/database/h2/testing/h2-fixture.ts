import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProcesses, type Processes } from '../../../processes.ts';
import { type Bridge, startBridge } from '../bridge-process.ts';
import { createH2 } from '../h2.ts';
import { bridgeCommand, findH2Runtime } from '../h2-runtime.ts';

/** Built by `npm run build`. */
export const bridgeDirectory = join(import.meta.dirname, ...Array(5).fill('..'), 'dist/h2-bridge');
export const h2Paths = { jarProperty: null, bridgeDirectory };
export const h2 = createH2(h2Paths);

/** A folder for one test, and the path of a database in it. */
export interface H2TestFolder extends AsyncDisposable {
  folder: string;
  filePath: string;
}

export async function createH2TestFolder(): Promise<H2TestFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'h2-'));
  return {
    folder,
    filePath: join(folder, 'host'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Returns the ids of the running bridges that a process has started. */
export async function bridgePids(parent = process.pid): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(pids.map((pid) => isBridgeOf(parent, pid)));
  return pids.filter((_, index) => found[index]).map(Number);
}

async function isBridgeOf(parent: number, pid: string): Promise<boolean> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const command = await readFile(`/proc/${pid}/cmdline`, 'latin1');
    return Number(fields[1]) === parent && command.includes('host.database.H2Bridge');
  } catch {
    return false;
  }
}

/** Starts a bridge without a database. */
export async function bareBridge(processes: Processes = createProcesses()): Promise<Bridge> {
  const { java, jar, bridge } = await findH2Runtime(h2Paths);
  return startBridge(processes, bridgeCommand(java ?? '', jar ?? '', bridge ?? ''));
}
