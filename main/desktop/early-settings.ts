import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { app } from 'electron';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import type { HostPaths } from '../../service/app/index.ts';

/** Settings that are needed before Electron is ready, when the database is not open yet. */
const EarlySettings = z.object({ disableGpu: z.boolean() });

const fileOf = ({ config }: HostPaths): string => join(config, 'desktop.json');

/**
 * Applies the stored settings. The entry must await this, because Electron becomes ready right
 * after it.
 */
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

/** Stores the settings for the next start. */
export async function keepEarlySettings(
  paths: HostPaths,
  { disableGpu }: z.output<typeof EarlySettings>,
): Promise<void> {
  const before = await readFile(fileOf(paths), 'utf8').catch(() => null);
  if ((before === null ? false : read(before).disableGpu) === disableGpu) return;
  await writeFileAtomic(fileOf(paths), JSON.stringify({ disableGpu }), { mode: 0o600 });
}
