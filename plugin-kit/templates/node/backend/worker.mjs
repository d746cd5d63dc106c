import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { badParams, createWorker } from './plugin-kit/worker.mjs';
import { countWords } from './count-words.mjs';

let shortest = 1;

/**
 * Reads a file that the user granted.
 * @param {unknown} file its path
 */
async function readText(file) {
  if (typeof file !== 'string') throw badParams('Choose a file.');
  return readFile(file, 'utf8');
}

createWorker()
  .onInitialize(({ config }) => {
    shortest = Number(config.shortest ?? 1);
  })
  .method('count', async ({ file, order }, call) => {
    const text = await readText(file);
    call.progress(50, 'counting');
    const counted = countWords(text, shortest);
    const words = counted.reduce((sum, { count }) => sum + count, 0);
    if (order === 'alphabetical') counted.sort((a, b) => a.word.localeCompare(b.word));
    return { words, top: counted.slice(0, 10) };
  })
  .method('orders', () => [
    { value: 'frequent', label: 'Most frequent first' },
    { value: 'alphabetical', label: 'Alphabetical' },
  ])
  .method('report', async ({ file, output }) => {
    const counted = countWords(await readText(file), shortest);
    const lines = counted.map(({ word, count }) => `${word},${count}\n`);
    await writeFile(join(String(output), 'words.csv'), `word,count\n${lines.join('')}`);
    return { file: 'words.csv' };
  })
  .run();
