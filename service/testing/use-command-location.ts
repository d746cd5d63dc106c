import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach } from 'vitest';
import type { CommandLocation } from '../features/tools/command/workspace.ts';
import { useFolderForEach } from './use-folder-for-each.ts';

/** An empty workspace for commands, new for each test. */
export interface TestCommandLocation extends CommandLocation {
  hidden: string[];
  /** Folder in which running commands are recorded. */
  records: string;
}

export function useCommandLocation(): TestCommandLocation {
  const folder = useFolderForEach('place-');
  const location = {
    get workspace() {
      return join(folder.path, 'workspace');
    },
    get cwd() {
      return this.workspace;
    },
    hidden: [],
    get records() {
      return join(folder.path, 'commands');
    },
  };
  beforeEach(() => mkdir(location.workspace).then(() => undefined));
  return location;
}
