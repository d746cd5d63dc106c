import { readdir, readFile, readlink } from 'node:fs/promises';

/**
 * Returns the ids of processes with this text in their environment: those that a host started, even
 * if their parent has changed.
 */
export const processesOf = (text: string): Promise<number[]> =>
  processesWhere(async (folder) => (await readFile(`${folder}/environ`, 'latin1')).includes(text));

/** Returns the ids of processes whose current directory is this folder. */
export const processesIn = (directory: string): Promise<number[]> =>
  processesWhere(async (folder) => (await readlink(`${folder}/cwd`)) === directory);

async function processesWhere(isOne: (folder: string) => Promise<boolean>): Promise<number[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    names.map((name) =>
      isOne(`/proc/${name}`).then(
        (is) => (is ? [Number(name)] : []),
        () => [],
      ),
    ),
  );
  return found.flat();
}
