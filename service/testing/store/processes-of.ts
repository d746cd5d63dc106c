import { readdir, readFile, readlink } from 'node:fs/promises';

/** Ids of processes that carry this text in their environment: what a host started, whoever is its parent now. */
export const processesOf = (text: string): Promise<number[]> =>
  processesWhere(async (folder) => (await readFile(`${folder}/environ`, 'latin1')).includes(text));

/** Ids of processes that work in this folder. */
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
