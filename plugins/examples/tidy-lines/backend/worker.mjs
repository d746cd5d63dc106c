import { createReadStream, createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { badParams, createWorker, failed } from './plugin-kit/worker.mjs';

/** Limits the memory that finding repeated lines needs. */
const maxCharacters = 50_000_000;

/** Returns the lines without empty and repeated ones, in order, and how many were removed. */
async function readLines(file) {
  const kept = new Set();
  let removed = 0;
  let characters = 0;
  for await (const line of createInterface({
    input: createReadStream(file),
    crlfDelay: Infinity,
  })) {
    const text = line.trimEnd();
    if (text === '' || kept.has(text)) removed += 1;
    else {
      characters += text.length;
      if (characters > maxCharacters)
        throw failed(
          'The file has more than 50 million characters. Choose a smaller one.',
          'too_large',
        );
      kept.add(text);
    }
  }
  return { kept: [...kept], removed };
}

async function write(path, lines) {
  const stream = createWriteStream(path);
  for (const line of lines) if (!stream.write(`${line}\n`)) await once(stream, 'drain');
  stream.end();
  await once(stream, 'finish');
}

createWorker()
  .method('tidy', async ({ file, output, sort = false }) => {
    if (typeof file !== 'string') throw badParams('Choose a file.');
    const { kept, removed } = await readLines(file);
    if (sort) kept.sort((a, b) => a.localeCompare(b));
    await write(join(String(output), 'tidy.txt'), kept);
    return { file: 'tidy.txt', kept: kept.length, removed };
  })
  .run();
