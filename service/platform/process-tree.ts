import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** The environment variable that names the tree a process belongs to, wherever it moved itself. */
export const treeVariable = 'HOST_PROCESS_TREE';

const pollMs = 20;
const listTimeoutMs = 5_000;

/** One tree: the process that was started (leader of its own session), and its marker. */
export interface Tree {
  leader: number;
  marker: string;
}

interface Row {
  pid: number;
  parent: number;
  group: number;
  session: number;
  startedAt: string;
  zombie: boolean;
}

/**
 * Kills every process of the tree with SIGKILL: the session of the leader, all descendants, and
 * those that left both but still carry the marker. Looks again until none is left or `limitMs`
 * has passed; true when none is left.
 */
export async function killTree(tree: Tree, limitMs: number): Promise<boolean> {
  if (process.platform === 'win32') return killWindowsTree(tree.leader);
  const untilMs = performance.now() + limitMs;
  const seen = new Map<number, string>();
  for (;;) {
    const members = await findMembers(tree, seen);
    if (members.length === 0) return true;
    for (const member of members) {
      seen.set(member.pid, member.startedAt);
      signal(member.pid, 'SIGKILL');
    }
    if (performance.now() > untilMs) return false;
    await delay(pollMs);
  }
}

/** False when there is no such process (or group, with a negative id). */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

async function findMembers(tree: Tree, seen: ReadonlyMap<number, string>): Promise<Row[]> {
  const all = await listProcesses();
  const host = all.find((row) => row.pid === process.pid);
  const rows = all.filter((row) => row.pid > 1 && row !== host && !isOlder(row, host));
  const marked = await findMarked(rows, tree.marker);
  const members = new Set(
    rows
      .filter(
        (row) =>
          row.pid === tree.leader ||
          row.session === tree.leader ||
          row.group === tree.leader ||
          seen.get(row.pid) === row.startedAt ||
          marked.has(row.pid),
      )
      .map((row) => row.pid),
  );
  for (let grown = -1; grown !== members.size;) {
    grown = members.size;
    for (const row of rows) if (members.has(row.parent)) members.add(row.pid);
  }
  return rows.filter((row) => members.has(row.pid) && !row.zombie);
}

/** Nothing that ran before the host belongs to a tree; passing it over halves the work. */
function isOlder(row: Row, host: Row | undefined): boolean {
  return process.platform === 'linux' && Number(row.startedAt) < Number(host?.startedAt ?? 0);
}

async function findMarked(rows: readonly Row[], marker: string): Promise<Set<number>> {
  if (process.platform !== 'linux') return new Set();
  const entry = `${treeVariable}=${marker}`;
  const own = rows.filter((row) => !row.zombie);
  const hits = await Promise.all(
    own.map(async ({ pid }) =>
      (await readText(`/proc/${pid}/environ`)).split('\0').includes(entry),
    ),
  );
  return new Set(own.filter((_, index) => hits[index]).map((row) => row.pid));
}

async function listProcesses(): Promise<Row[]> {
  if (process.platform !== 'linux') return listWithPs();
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const rows = await Promise.all(
    names.map(async (name) => parseStat(await readText(`/proc/${name}/stat`))),
  );
  return rows.filter((row) => row !== undefined);
}

/** `pid (name) state parent group session …`; the name may hold anything, even `)`. */
function parseStat(text: string): Row | undefined {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = fields;
  if (session === undefined) return undefined;
  return {
    pid: Number.parseInt(text, 10),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startedAt: fields[19] ?? '',
    zombie: state === 'Z' || state === 'X',
  };
}

/** Where there is no /proc: sessions and markers are not to be seen, parents and groups are. */
async function listWithPs(): Promise<Row[]> {
  const text = await run('/bin/ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart=']);
  return text.split('\n').flatMap((line) => {
    const [pid, parent, group, state = '', ...started] = line.trim().split(/\s+/);
    if (group === undefined) return [];
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: Number.NaN,
      startedAt: started.join(' '),
      zombie: state.startsWith('Z'),
    };
  });
}

async function killWindowsTree(leader: number): Promise<boolean> {
  const root = process.env['SystemRoot'] ?? 'C:\\Windows';
  await run(`${root}\\System32\\taskkill.exe`, ['/PID', String(leader), '/T', '/F']);
  return true;
}

/** The text of a file that may vanish at any moment, or belong to another user: then nothing. */
async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'latin1');
  } catch {
    return '';
  }
}

/** What the program prints; nothing when it fails, since the next look finds what is left. */
function run(program: string, args: string[]): Promise<string> {
  return new Promise((resolve) => {
    const options = { timeout: listTimeoutMs, windowsHide: true, maxBuffer: 16 * 1024 * 1024 };
    execFile(program, args, options, (_error, stdout) => resolve(stdout));
  });
}

/**
 * A signal to every process that descends from `pid`, but not to `pid` itself: a sandbox that gets it
 * ends what is inside with SIGKILL.
 */
export async function signalDescendants(pid: number, name: NodeJS.Signals): Promise<void> {
  if (process.platform === 'win32') return;
  const rows = await listProcesses();
  const found = new Set([pid]);
  for (let grown = 0; grown !== found.size;) {
    grown = found.size;
    for (const row of rows) if (found.has(row.parent)) found.add(row.pid);
  }
  found.delete(pid);
  for (const descendant of found) signal(descendant, name);
}
