import { app } from 'electron';
import { type HostPaths, hostPaths } from '../../service/app/index.ts';
import type { LaunchFlags } from '../flags.ts';
import { applyEarlySettings } from './early-settings.ts';
import { moveOldData, userDataDirectory } from './user-data.ts';

/** Folders of the desktop before anything is started; `movedFrom` is null where no data was moved. */
export interface PreparedDesktop {
  paths: HostPaths;
  /** Where the data of an older version were moved from. */
  movedFrom: string | null;
}

/** Work that must be done before Electron is ready: the entry waits for it. */
export async function prepareDesktop(flags: LaunchFlags): Promise<PreparedDesktop> {
  const directory = userDataDirectory();
  const movedFrom =
    flags.workDirectory === null ? await moveOldData(app.getPath('userData'), directory) : null;
  const paths = hostPaths(flags.workDirectory ?? directory);
  await applyEarlySettings(paths);
  return { paths, movedFrom };
}
