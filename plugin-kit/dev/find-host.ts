import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { createClient } from '../../service/client/index.ts';
import { api, DeveloperFile } from '../../service/contract/index.ts';

/** Address and token of a running host. */
export interface FoundHost {
  baseUrl: string;
  token: string;
}

const answerLimitMs = 2_000;

/**
 * Finds a running host with developer mode on: in the current folder, a folder above it, or the
 * default data folders.
 */
export async function findHost(start: string): Promise<FoundHost | null> {
  for (const folder of candidateFolders(start)) {
    const found = await developerFile(join(folder, '.host', 'dev.json'));
    if (found !== null && (await answers(found))) return found;
  }
  return null;
}

function candidateFolders(start: string): string[] {
  const above: string[] = [];
  for (let folder = start; ; folder = dirname(folder)) {
    above.push(folder);
    if (dirname(folder) === folder) break;
  }
  const home = homedir();
  const { XDG_DATA_HOME: data, XDG_CONFIG_HOME: config, APPDATA: roaming } = process.env;
  const own = [
    data ?? join(home, '.local', 'share'),
    config ?? join(home, '.config'),
    join(home, 'Library', 'Application Support'),
    ...(roaming === undefined ? [] : [roaming]),
  ];
  const names = ['plugin-host', 'Plugin Host'];
  return [...above, ...own.flatMap((folder) => names.map((name) => join(folder, name)))];
}

/**
 * Reads the host from a file such as `.host/dev.json`, so that the token is not on the command
 * line.
 * @throws Error if it is not such a file
 */
export async function readHostFile(file: string): Promise<FoundHost> {
  const found = await developerFile(file);
  if (found !== null) return found;
  throw new Error(`${file} is not the dev.json of a host. Is developer mode on?`);
}

async function developerFile(file: string): Promise<FoundHost | null> {
  try {
    const { port, token } = DeveloperFile.parse(JSON.parse(await readFile(file, 'utf8')));
    return { baseUrl: `http://127.0.0.1:${String(port)}`, token };
  } catch {
    return null;
  }
}

/** A killed host may leave its file behind, so the host is asked. */
async function answers({ baseUrl, token }: FoundHost): Promise<boolean> {
  try {
    const client = createClient({ baseUrl, token: () => token });
    await client.call(api.host.health, { signal: AbortSignal.timeout(answerLimitMs) });
    return true;
  } catch {
    return false;
  }
}
