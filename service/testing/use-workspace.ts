import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { OpenTools } from './open-tools.ts';

/** The workspace of the tools: an empty one for each test. */
export function useWorkspace({ settings }: Pick<OpenTools, 'settings'>): { readonly path: string } {
  let path = '';
  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'workspace-'));
    settings.workspaceDirectory = path;
  });
  afterEach(() => rm(path, { recursive: true }));
  return {
    get path() {
      return path;
    },
  };
}
