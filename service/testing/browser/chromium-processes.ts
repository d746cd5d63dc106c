import { readdir, readFile } from 'node:fs/promises';

/** Processes of Chromium that keep their files below this folder; the first one leads. */
export async function chromiumBelow(directory: string): Promise<number[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    names.map(async (name) => {
      const told = await readFile(`/proc/${name}/cmdline`, 'latin1').catch(() => '');
      return told.includes(`--user-data-dir=${directory}`) ? Number(name) : null;
    }),
  );
  return found.filter((pid) => pid !== null).sort((one, other) => one - other);
}
