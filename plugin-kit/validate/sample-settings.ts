import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { UserConfigField } from '../../service/contract/manifest.ts';
import type { PluginSandbox } from '../sandbox/plugin-sandbox.ts';

/**
 * Enters values for the required settings that have no default, so that the worker starts as it will
 * once a person has entered them. Returns their keys.
 */
export async function enterSampleSettings(
  sandbox: PluginSandbox,
  id: string,
  workDirectory: string,
): Promise<string[]> {
  const { missing } = await sandbox.host.configOf(id);
  const { userConfig } = sandbox.host.get(id).manifest;
  const samples: Record<string, unknown> = {};
  for (const key of missing) {
    const field = userConfig[key];
    if (field !== undefined) samples[key] = await sampleOf(field, workDirectory);
  }
  if (missing.length > 0) await sandbox.host.configure(id, samples);
  return missing;
}

async function sampleOf(
  { type }: UserConfigField,
  workDirectory: string,
): Promise<string | number | boolean> {
  if (type === 'number') return 1;
  if (type === 'boolean') return false;
  if (type === 'string') return 'sample';
  const path = join(workDirectory, `sample-${type}`);
  await (type === 'file' ? writeFile(path, '') : mkdir(path, { recursive: true }));
  return path;
}
