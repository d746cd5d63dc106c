import { app } from 'electron';
import { type HostPaths, hostPaths } from '../../service/app/index.ts';
import type { LaunchFlags } from '../flags.ts';
import { applyEarlySettings } from './early-settings.ts';
import { moveOldData, userDataDirectory } from './user-data.ts';

/** Result of the work before Electron is ready. */
export interface PreparedDesktop {
  paths: HostPaths;
  /** Folder from which data of an older version was moved; null if nothing was moved. */
  movedFrom: string | null;
}

/**
 * Chooses the folders and applies early settings. The entry awaits this before Electron becomes
 * ready.
 */
export async function prepareDesktop(flags: LaunchFlags): Promise<PreparedDesktop> {
  const directory = userDataDirectory();
  const movedFrom =
    flags.workDirectory === null ? await moveOldData(app.getPath('userData'), directory) : null;
  const paths = hostPaths(flags.workDirectory ?? directory);
  await applyEarlySettings(paths);
  return { paths, movedFrom };
}
