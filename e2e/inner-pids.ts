import { readdir, readFile } from 'node:fs/promises';

interface Row {
  pid: number;
  parent: number;
  /** Process id inside its innermost namespace. */
  inner: number;
}

async function rows(): Promise<Row[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      const parent = /^PPid:\s*(\d+)$/m.exec(status)?.[1];
      const inner = /^NSpid:.*?(\d+)$/m.exec(status)?.[1];
      return { pid: Number(pid), parent: Number(parent), inner: Number(inner) };
    }),
  );
  return found;
}

/** Returns the outside ids of processes below `ancestor` that have these ids in their sandbox. */
export async function outerPids<K extends string>(
  ancestor: number,
  inner: Record<K, number>,
): Promise<Record<K, number>> {
  const all = await rows();
  const below = new Set([ancestor]);
  for (let before = 0; before !== below.size;) {
    before = below.size;
    for (const { pid, parent } of all) if (below.has(parent)) below.add(pid);
  }
  const entries = Object.entries(inner) as [K, number][];
  return Object.fromEntries(
    entries.map(([name, id]) => {
      const row = all.find(
        ({ pid, inner: own }) => pid !== ancestor && below.has(pid) && own === id,
      );
      if (!row) throw new Error(`There is no process ${id} below ${ancestor}`);
      return [name, row.pid];
    }),
  ) as Record<K, number>;
}
