import { beforeEach } from 'vitest';
import type { OpenTools } from './open-tools.ts';
import { useFolderForEach } from './use-folder-for-each.ts';

/** Provides an empty workspace for tools to each test. */
export function useWorkspace({ settings }: Pick<OpenTools, 'settings'>): { readonly path: string } {
  const folder = useFolderForEach('workspace-');
  beforeEach(() => {
    settings.workspaceDirectory = folder.path;
  });
  return folder;
}
