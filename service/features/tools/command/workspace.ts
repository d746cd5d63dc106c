import { mkdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, resolve, sep } from 'node:path';
import { HostError } from '../../../core/host-error.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** The folders that the workspace is chosen from; absolute paths. */
export interface WorkspaceFolders {
  /** The folder from the settings; empty: the standard one. */
  chosen: string;
  /** Created if it is missing. */
  standard: string;
  /** `.host` in the working directory. */
  hostRoot: string;
}

/** The location of a command; paths are absolute, without links. */
export interface CommandLocation {
  workspace: string;
  cwd: string;
  /** Paths in the workspace that belong to the host. */
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
    if (isOwn || workspace === sep) throw noWorkspace(msg('workspace.ofHostOrSystem'));
    if (!isWithin(folder, workspace) || hidden.some((path) => isWithin(folder, path))) {
      const message = msg('workspace.outside', { path: shorten(cwd) });
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
  if (!isAbsolute(chosen)) throw noWorkspace(msg('workspace.notAbsolute'));
  const found = await realpath(chosen).catch(() => null);
  if (found === null) throw noWorkspace(msg('workspace.missing'));
  if (!(await stat(found)).isDirectory()) throw noWorkspace(msg('workspace.notAFolder'));
  return found;
}

async function folderOf(workspace: string, cwd = '.'): Promise<string> {
  const found = await realpath(resolve(workspace, cwd)).catch(() => null);
  const isFolder = found !== null && (await stat(found)).isDirectory();
  if (isFolder) return found;
  const message = msg('workspace.unknownFolder', { path: shorten(cwd) });
  throw new HostError('missing', 'unknown_folder', message);
}

const shorten = (path = '.'): string => path.slice(0, 300);

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

const noWorkspace = (text: Message): HostError => new HostError('conflict', 'no_workspace', text);
