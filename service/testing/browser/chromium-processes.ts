import { readdir, readFile } from 'node:fs/promises';

/** Returns the ids of Chromium processes with files below this folder, the main process first. */
export async function chromiumBelow(directory: string): Promise<number[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const owners = await Promise.all(
    names.map(async (name) => {
      const line = await readFile(`/proc/${name}/cmdline`, 'latin1').catch(() => '');
      return line.includes(`--user-data-dir=${directory}`) ? Number(name) : null;
    }),
  );
  const found = owners.filter((pid) => pid !== null);
  const children = await Promise.all(found.map(async (pid) => found.includes(await parentOf(pid))));
  // Not the lowest id: ids start again after the maximum.
  const leaders = found.filter((_, index) => children[index] === false);
  return [...leaders, ...found.filter((pid) => !leaders.includes(pid))];
}

async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return Number(
    stat
      .slice(stat.lastIndexOf(')') + 1)
      .trim()
      .split(' ')[1] ?? 0,
  );
}
