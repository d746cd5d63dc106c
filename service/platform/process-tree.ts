import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { inParallel } from '../core/in-parallel.ts';
import type { ControlGroup } from './control-groups/control-groups.ts';
import { isOutOfFiles } from './out-of-files.ts';
import { hasLimit, treeVariable } from './process-marker.ts';

const pollMs = 20;
const searchesAfterKill = 6;
const listTimeoutMs = 5_000;
/** Each needs a file descriptor, which are limited. */
const filesAtOnce = 16;

/** One tree: the process that was started (leader of its own session), and its marker. */
export interface Tree {
  leader: number;
  marker: string;
  /** True if the marker is a limit in the kernel; otherwise it is only in the environment. */
  isLimited?: boolean;
  /** Control group of the tree, if there is one. */
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
 * Kills every process of the tree with SIGKILL: its process group, the session of the leader, all
 * descendants, and processes that left all of these but still carry the marker. Repeats until none
 * is left or `limitMs` has passed; true if none is left.
 */
export async function killTree(tree: Tree, limitMs: number): Promise<boolean> {
  if (process.platform === 'win32') return killWindowsTree(tree.leader);
  const untilMs = performance.now() + limitMs;
  const seen = new Map<number, string>();
  const marked = new Set<number>();
  for (;;) {
    // Null if there are no file descriptors for the search.
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
  // A process that starts another one and exits can be missed by one search, but hardly by this
  // many.
  const maxSearches = marked.size > 0 ? searchesAfterKill : 1;
  for (let attempt = 0; found === 0 && attempt < maxSearches; attempt += 1) found = await kill();
  return { members: members.length, isNone: found === 0 };
}

/**
 * Kills each process with the marker as soon as it is found, newest first: one that starts another
 * every few milliseconds would be gone by the end of a full search. Returns the number of newly
 * marked ones.
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

/** False if there is no such process (or group, for a negative id). */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

interface TreeSnapshot {
  /** Running processes of the tree. */
  members: Row[];
  /** The host, and processes that started before it. */
  others: Set<number>;
}

interface Found {
  /** Killed processes and their start times. */
  seen: ReadonlyMap<number, string>;
  /** Processes that were killed because of their marker. */
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

/**
 * Processes that started before the host cannot belong to a tree; skipping them halves the work.
 */
function isOlder(row: Row, host: Row | undefined): boolean {
  return process.platform === 'linux' && Number(row.startedAt) < Number(host?.startedAt ?? 0);
}

/** Finds marked processes by their environment, if the marker is not a limit. */
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

/** Format: `pid (name) state parent group session …`; the name may contain anything, even `)`. */
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

/** Without /proc, only parents and groups are visible, not sessions and markers. */
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
 * Returns the text of a file; empty if it vanishes or belongs to another user. @throws if there is
 * no file descriptor to read it
 */
async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'latin1');
  } catch (error) {
    if (isOutOfFiles(error)) throw error;
    return '';
  }
}

/**
 * Returns the output of the program; empty if it fails, since the next search finds what is left.
 */
function run(program: string, args: string[]): Promise<string> {
  return new Promise((resolve) => {
    const options = { timeout: listTimeoutMs, windowsHide: true, maxBuffer: 16 * 1024 * 1024 };
    execFile(program, args, options, (_error, stdout) => resolve(stdout));
  });
}

/**
 * Sends a signal to every descendant of `pid`, but not to `pid` itself: a sandbox that receives it
 * ends its processes with SIGKILL.
 */
export async function signalDescendants(pid: number, name: NodeJS.Signals): Promise<void> {
  if (process.platform === 'win32') return;
  for (const row of await familyOf(pid)) if (row.pid !== pid) signal(row.pid, name);
}

const stopAttempts = 50;
const stopPauseMs = 2;

/**
 * Stops the process and its descendants until `continueFamily`. False, with all of them running, if
 * new ones are started faster than they can be stopped.
 */
export async function stopFamily(pid: number): Promise<boolean> {
  for (let attempt = 0; attempt < stopAttempts; attempt += 1) {
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

/** Returns the process and its descendants. */
async function familyOf(pid: number): Promise<Row[]> {
  const rows = await listProcesses();
  const found = withDescendants(rows, [pid]);
  return rows.filter((row) => found.has(row.pid));
}

function withDescendants(rows: readonly Row[], pids: Iterable<number>): Set<number> {
  const children = Map.groupBy(rows, ({ parent }) => parent);
  const found = new Set(pids);
  // Iterating over a set includes entries that are added meanwhile.
  for (const pid of found) for (const child of children.get(pid) ?? []) found.add(child.pid);
  return found;
}
