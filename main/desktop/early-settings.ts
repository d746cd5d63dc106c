import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { app } from 'electron';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import type { HostPaths } from '../../service/app/index.ts';

/** Settings that are needed before Electron is ready, and so before the database is open. */
const EarlySettings = z.object({ disableGpu: z.boolean() });

const fileOf = ({ config }: HostPaths): string => join(config, 'desktop.json');

/** To be waited for by the entry: Electron is ready only after that. */
export async function applyEarlySettings(paths: HostPaths): Promise<void> {
  const text = await readFile(fileOf(paths), 'utf8').catch(() => null);
  if (text === null) return;
  const { disableGpu } = read(text);
  if (disableGpu) app.disableHardwareAcceleration();
}

function read(text: string): z.output<typeof EarlySettings> {
  try {
    return EarlySettings.parse(JSON.parse(text));
  } catch {
    return { disableGpu: false };
  }
}

/** For the next start. */
export async function keepEarlySettings(
  paths: HostPaths,
  { disableGpu }: z.output<typeof EarlySettings>,
): Promise<void> {
  const before = await readFile(fileOf(paths), 'utf8').catch(() => null);
  if ((before === null ? false : read(before).disableGpu) === disableGpu) return;
  await writeFileAtomic(fileOf(paths), JSON.stringify({ disableGpu }), { mode: 0o600 });
}
