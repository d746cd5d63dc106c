import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { signal } from '../../../../platform/process-tree.ts';

const maxLooks = 50;
const lookMs = 2;

interface Row {
  pid: number;
  parent: number;
  state: string;
}

/**
 * Lets neither `leader` nor what it started run until it is let go on. False, and everything runs on, where
 * something new is started faster than it can be stopped.
 */
export async function stopTree(leader: number): Promise<boolean> {
  for (let looks = 0; looks < maxLooks; looks += 1) {
    const running = (await treeOf(leader)).filter(({ state }) => !/[TtZX]/.test(state));
    if (running.length === 0) return true;
    for (const { pid } of running) signal(pid, 'SIGSTOP');
    await delay(lookMs);
  }
  await continueTree(leader);
  return false;
}

export async function continueTree(leader: number): Promise<void> {
  for (const { pid } of await treeOf(leader)) signal(pid, 'SIGCONT');
}

async function treeOf(leader: number): Promise<Row[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const rows = (await Promise.all(names.map(rowOf))).filter((row) => row !== null);
  const found = new Set([leader]);
  for (let grown = 0; grown !== found.size;) {
    grown = found.size;
    for (const { pid, parent } of rows) if (found.has(parent)) found.add(pid);
  }
  return rows.filter(({ pid }) => found.has(pid));
}

async function rowOf(name: string): Promise<Row | null> {
  const text = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => '');
  // The name of a program stands in brackets and may hold any sign.
  const [state = '', parent = ''] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return state === '' ? null : { pid: Number(name), parent: Number(parent), state };
}
