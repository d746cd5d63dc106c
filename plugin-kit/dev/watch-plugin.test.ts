import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { useFolder } from '../../service/testing/use-for-file.ts';
import { watchPlugin } from './watch-plugin.ts';

const folder = await useFolder('watch-plugin-');
const worker = join(folder, 'backend', 'worker.mjs');
/** Longer than changes take to settle. */
const settledMs = 300;

beforeEach(async () => {
  await mkdir(join(folder, 'backend'), { recursive: true });
  await writeFile(worker, '0');
});

async function watched(): Promise<ReturnType<typeof vi.fn>> {
  const onChange = vi.fn();
  const onFailure = (error: Error): never => {
    throw error;
  };
  onTestFinished(watchPlugin(folder, { onChange, onFailure }));
  await delay(settledMs);
  onChange.mockClear();
  return onChange;
}

/** The calls after a change and all that follows from it. */
async function callsAfter(onChange: ReturnType<typeof vi.fn>, change: () => Promise<unknown>) {
  onChange.mockClear();
  await change();
  await vi.waitFor(() => expect(onChange).toHaveBeenCalled(), { timeout: 5000 });
  await delay(settledMs);
}

/** As editors save that write a new file and give it the name of the old one. */
async function replace(path: string, text: string): Promise<void> {
  await writeFile(`${path}~`, text);
  await rename(`${path}~`, path);
}

test('it notices each time that an editor replaces a file', async () => {
  const onChange = await watched();
  for (const text of ['1', '2', '3']) await callsAfter(onChange, () => replace(worker, text));
  await callsAfter(onChange, () => writeFile(worker, '4'));
});

test('it notices files of folders that are new, moved or made again', async () => {
  const onChange = await watched();
  const inner = join(folder, 'ui', 'parts');
  await callsAfter(onChange, () => mkdir(inner, { recursive: true }));
  await callsAfter(onChange, () => writeFile(join(inner, 'a.js'), '1'));
  await callsAfter(onChange, () => rename(join(folder, 'ui'), join(folder, 'page')));
  await callsAfter(onChange, () => writeFile(join(folder, 'page', 'parts', 'a.js'), '2'));
  await callsAfter(onChange, () => rm(join(folder, 'page'), { recursive: true }));
  await callsAfter(onChange, () => mkdir(inner, { recursive: true }));
  await callsAfter(onChange, () => writeFile(join(inner, 'a.js'), '3'));
});

test('it tells once of changes that come together, and nothing of what no package contains', async () => {
  const onChange = await watched();
  await callsAfter(onChange, async () => {
    for (const text of ['1', '2', '3']) await replace(worker, text);
  });
  expect(onChange).toHaveBeenCalledTimes(1);
  onChange.mockClear();
  for (const name of ['dist', 'node_modules', '.git']) {
    await mkdir(join(folder, name, 'inner'), { recursive: true });
    await writeFile(join(folder, name, 'inner', 'file'), '1');
  }
  await delay(settledMs);
  expect(onChange).not.toHaveBeenCalled();
});
