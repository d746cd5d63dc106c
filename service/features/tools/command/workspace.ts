import { mkdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, resolve, sep } from 'node:path';
import { HostError } from '../../../core/host-error.ts';

export interface WorkspaceFolders {
  /** The folder of the settings; empty: the standard one. */
  chosen: string;
  /** Made when it is missing. */
  standard: string;
  /** `.host` of the working directory. */
  hostRoot: string;
}

/** Where a command runs; paths are absolute, without links. */
export interface CommandLocation {
  workspace: string;
  cwd: string;
  /** What of the workspace is the host's own. */
  hidden: string[];
}

/**
 * @throws HostError `no_workspace`, `unknown_folder`, and for sandboxed commands `outside_workspace`
 */
export async function commandLocation(
  folders: WorkspaceFolders,
  cwd: string | undefined,
  sandboxed: boolean,
): Promise<CommandLocation> {
  const workspace = await workspaceOf(folders);
  const hostRoot = await realpath(folders.hostRoot);
  const hidden = isWithin(hostRoot, workspace) ? [hostRoot] : [];
  const folder = await folderOf(workspace, cwd);
  if (sandboxed) {
    const isOwn = isWithin(workspace, hostRoot) && folders.chosen !== '';
    if (isOwn || workspace === sep) throw noWorkspace('belongs to the host or the system itself');
    if (!isWithin(folder, workspace) || hidden.some((path) => isWithin(folder, path))) {
      const message = `The folder ${shorten(cwd)} is outside the workspace. In the sandbox commands run in the workspace only: use a path below it, relative to it, or leave cwd out.`;
      throw new HostError('invalid', 'outside_workspace', message);
    }
  }
  return { workspace, cwd: folder, hidden };
}

async function workspaceOf({ chosen, standard }: WorkspaceFolders): Promise<string> {
  if (chosen === '') {
    await mkdir(standard, { recursive: true, mode: 0o700 });
    return realpath(standard);
  }
  if (!isAbsolute(chosen)) throw noWorkspace('is not an absolute path');
  const found = await realpath(chosen).catch(() => null);
  if (found === null) throw noWorkspace('does not exist');
  if (!(await stat(found)).isDirectory()) throw noWorkspace('is not a folder');
  return found;
}

async function folderOf(workspace: string, cwd = '.'): Promise<string> {
  const found = await realpath(resolve(workspace, cwd)).catch(() => null);
  const isFolder = found !== null && (await stat(found)).isDirectory();
  if (isFolder) return found;
  const message = `There is no folder ${shorten(cwd)} to run the command in. Relative paths start in the workspace.`;
  throw new HostError('missing', 'unknown_folder', message);
}

const shorten = (path = '.'): string => path.slice(0, 300);

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function noWorkspace(why: string): HostError {
  const message = `The workspace folder of the settings ${why}. Choose another one (workspaceDirectory).`;
  return new HostError('conflict', 'no_workspace', message);
}
