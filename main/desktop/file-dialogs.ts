import { basename } from 'node:path';
import { type BrowserWindow, dialog, type OpenDialogOptions } from 'electron';
import type { ChosenPaths } from './chosen-paths.ts';
import { oneQuestion } from './one-question.ts';

const options: Readonly<Record<'file' | 'directory', OpenDialogOptions>> = {
  file: { properties: ['openFile'] },
  directory: { properties: ['openDirectory', 'createDirectory'] },
};

/**
 * Returns the path that a person chose; null if the dialog was cancelled or another dialog is open.
 */
export async function choosePath(
  window: BrowserWindow,
  kind: keyof typeof options,
  chosen: ChosenPaths,
): Promise<string | null> {
  const answer = await oneQuestion(window, () => dialog.showOpenDialog(window, options[kind]));
  const path = answer?.canceled === false ? answer.filePaths[0] : undefined;
  if (path === undefined) return null;
  chosen.add(path);
  return path;
}

const mostCharacters = 120;

/**
 * Returns the path to save to; null as in `choosePath`. Only the base name of the suggested name is
 * used.
 */
export async function chooseTarget(
  window: BrowserWindow,
  fileName: string,
): Promise<string | null> {
  const name = basename(fileName.replaceAll(/[/\\:*?"<>|\p{Cc}]/gu, '_'));
  const defaultPath = name.slice(0, mostCharacters).replace(/^\.+/, '') || 'file';
  const answer = await oneQuestion(window, () => dialog.showSaveDialog(window, { defaultPath }));
  return answer?.canceled === false && answer.filePath !== '' ? answer.filePath : null;
}
