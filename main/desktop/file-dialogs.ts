import { basename } from 'node:path';
import { type BrowserWindow, dialog, type OpenDialogOptions } from 'electron';
import type { ChosenPaths } from './chosen-paths.ts';

const options: Readonly<Record<'file' | 'directory', OpenDialogOptions>> = {
  file: { properties: ['openFile'] },
  directory: { properties: ['openDirectory', 'createDirectory'] },
};

/** The path that a person chose; null when the dialog was closed. */
export async function choosePath(
  window: BrowserWindow,
  kind: keyof typeof options,
  chosen: ChosenPaths,
): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, options[kind]);
  const [path] = filePaths;
  if (canceled || path === undefined) return null;
  chosen.add(path);
  return path;
}

const mostCharacters = 120;

/** Where to save; null when the dialog was closed. What the page wants it called is a name, never a path. */
export async function chooseTarget(
  window: BrowserWindow,
  fileName: string,
): Promise<string | null> {
  const name = basename(fileName.replaceAll(/[/\\:*?"<>|\p{Cc}]/gu, '_'));
  const defaultPath = name.slice(0, mostCharacters).replace(/^\.+/, '') || 'file';
  const { canceled, filePath } = await dialog.showSaveDialog(window, { defaultPath });
  return canceled || filePath === '' ? null : filePath;
}
