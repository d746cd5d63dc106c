import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { inParallel } from '../core/in-parallel.ts';
import type { ControlGroup } from './control-groups/control-groups.ts';
import { isOutOfFiles } from './out-of-files.ts';
import { hasLimit, treeVariable } from './process-marker.ts';

const pollMs = 20;
const looksAfterKill = 6;
const listTimeoutMs = 5_000;
/** Each needs a file descriptor, of which a host may have few. */
const filesAtOnce = 16;

/** One tree: the process that was started (leader of its own session), and its marker. */
export interface Tree {
  leader: number;
  marker: string;
  /** The kernel keeps the marker as a limit; otherwise only the environment tells it. */
  isLimited?: boolean;
  /** The control group of the tree, where there is one. */
  group?: Pick<ControlGroup, 'members'> | undefined;
}

interface Row {
  pid: number;
  parent: number;
  group: number;
  session: number;
  startedAt: string;
  zombie: boolean;
  stopped: boolean;
}

/**
 * Kills every process of the tree with SIGKILL: those of its group, the session of the leader, all
 * descendants, and those that left all of these but still carry the marker. Looks again until none is left or `limitMs`
 * has passed; true when none is left.
 */
export async function killTree(tree: Tree, limitMs: number): Promise<boolean> {
  if (process.platform === 'win32') return killWindowsTree(tree.leader);
  const untilMs = performance.now() + limitMs;
  const seen = new Map<number, string>();
  const marked = new Set<number>();
  for (;;) {
    // Null where there are no file descriptors to look with.
    const found = await killFound(tree, { seen, marked }).catch(() => null);
    if (found?.isNone === true) return true;
    if (performance.now() > untilMs) return false;
    if (found === null || found.members > 0) await delay(pollMs);
  }
}

async function killFound(
  tree: Tree,
  { seen, marked }: { seen: Map<number, string>; marked: Set<number> },
): Promise<{ members: number; isNone: boolean }> {
  const { members, others } = await takeSnapshot(tree, { seen, marked });
  for (const member of members) {
    seen.set(member.pid, member.startedAt);
    signal(member.pid, 'SIGKILL');
  }
  const kill = (): Promise<number> => killMarked(tree, { marked, others });
  let found = members.length + (await kill());
  // A process that starts another one and exits can be missed by one look, seldom by so many.
  const moreLooks = marked.size > 0 ? looksAfterKill : 1;
  for (let attempts = 0; found === 0 && attempts < moreLooks; attempts += 1) found = await kill();
  return { members: members.length, isNone: found === 0 };
}

/**
 * Kills whatever has the mark as a limit in the moment it is seen, the newest first: one that starts
 * another one every few milliseconds would be gone by the end of a longer look. Returns how many were
 * not yet marked.
 */
async function killMarked(
  { marker, isLimited = false }: Tree,
  { marked, others }: { marked: Set<number>; others: ReadonlySet<number> },
): Promise<number> {
  if (!isLimited) return 0;
  const before = marked.size;
  const all = (await readdir('/proc')).map(Number);
  const pids = all.filter((pid) => pid > 1 && !others.has(pid)).sort((a, b) => b - a);
  await inParallel(pids, filesAtOnce, async (pid) => {
    if (!hasLimit(await readText(`/proc/${pid}/limits`), marker)) return;
    signal(pid, 'SIGKILL');
    marked.add(pid);
  });
  return marked.size - before;
}

/** False when there is no such process (or group, with a negative id). */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

interface TreeSnapshot {
  /** What belongs to the tree, and runs. */
  members: Row[];
  /** What ran before the host, and the host. */
  others: Set<number>;
}

interface Found {
  /** Processes that were killed, and when they had started. */
  seen: ReadonlyMap<number, string>;
  /** Processes that were killed for their mark. */
  marked: ReadonlySet<number>;
}

async function takeSnapshot(tree: Tree, { seen, marked }: Found): Promise<TreeSnapshot> {
  const all = await listProcesses();
  const host = all.find((row) => row.pid === process.pid);
  const isOther = (row: Row): boolean => row.pid <= 1 || row === host || isOlder(row, host);
  const rows = all.filter((row) => !isOther(row));
  const named = await findMarked(rows, tree);
  const grouped = new Set(await tree.group?.members());
  const members = withDescendants(
    rows,
    rows
      .filter(
        (row) =>
          row.pid === tree.leader ||
          row.session === tree.leader ||
          row.group === tree.leader ||
          seen.get(row.pid) === row.startedAt ||
          marked.has(row.pid) ||
          named.has(row.pid) ||
          grouped.has(row.pid),
      )
      .map((row) => row.pid),
  );
  return {
    members: rows.filter((row) => members.has(row.pid) && !row.zombie),
    others: new Set(all.filter(isOther).map(({ pid }) => pid)),
  };
}

/** Nothing that ran before the host belongs to a tree; passing it over halves the work. */
function isOlder(row: Row, host: Row | undefined): boolean {
  return process.platform === 'linux' && Number(row.startedAt) < Number(host?.startedAt ?? 0);
}

/** By the environment, where the mark is no limit. */
async function findMarked(
  rows: readonly Row[],
  { marker, isLimited = false }: Tree,
): Promise<Set<number>> {
  if (process.platform !== 'linux' || isLimited) return new Set();
  const entry = `${treeVariable}=${marker}`;
  const own = rows.filter((row) => !row.zombie);
  const hits = await inParallel(own, filesAtOnce, async ({ pid }) =>
    (await readText(`/proc/${pid}/environ`)).split('\0').includes(entry),
  );
  return new Set(own.filter((_, index) => hits[index]).map((row) => row.pid));
}

async function listProcesses(): Promise<Row[]> {
  if (process.platform !== 'linux') return listWithPs();
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const rows = await inParallel(names, filesAtOnce, async (name) =>
    parseStat(await readText(`/proc/${name}/stat`)),
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
    stopped: state === 'T' || state === 't',
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
      stopped: state.startsWith('T'),
    };
  });
}

async function killWindowsTree(leader: number): Promise<boolean> {
  const root = process.env['SystemRoot'] ?? 'C:\\Windows';
  await run(`${root}\\System32\\taskkill.exe`, ['/PID', String(leader), '/T', '/F']);
  return true;
}

/**
 * The text of a file that may vanish at any moment, or belong to another user: then nothing. Fails
 * where there is no file descriptor to read it with.
 */
async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'latin1');
  } catch (error) {
    if (isOutOfFiles(error)) throw error;
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
  for (const row of await familyOf(pid)) if (row.pid !== pid) signal(row.pid, name);
}

const stopAttempts = 50;
const stopPauseMs = 2;

/**
 * Stops the process and its descendants until `continueFamily`. False, with all of them running,
 * where new ones are started faster than they can be stopped.
 */
export async function stopFamily(pid: number): Promise<boolean> {
  for (let attempts = 0; attempts < stopAttempts; attempts += 1) {
    const running = (await familyOf(pid)).filter(({ stopped, zombie }) => !stopped && !zombie);
    if (running.length === 0) return true;
    for (const row of running) signal(row.pid, 'SIGSTOP');
    await delay(stopPauseMs);
  }
  await continueFamily(pid);
  return false;
}

export async function continueFamily(pid: number): Promise<void> {
  for (const row of await familyOf(pid)) signal(row.pid, 'SIGCONT');
}

/** The process and all that descends from it. */
async function familyOf(pid: number): Promise<Row[]> {
  const rows = await listProcesses();
  const found = withDescendants(rows, [pid]);
  return rows.filter((row) => found.has(row.pid));
}

function withDescendants(rows: readonly Row[], pids: Iterable<number>): Set<number> {
  const children = Map.groupBy(rows, ({ parent }) => parent);
  const found = new Set(pids);
  // A set is iterated over entries added on the way as well.
  for (const pid of found) for (const child of children.get(pid) ?? []) found.add(child.pid);
  return found;
}
