import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { badParams } from './plugin-kit/worker.mjs';
import { limits, refuse, shown } from './limits.mjs';

const readable = new Set(['.csv', '.tsv', '.txt', '.xlsx', '.xlsm']);
/** File types that are read from a folder; other text files in it are skipped. */
const inFolders = new Set(['.csv', '.tsv', '.xlsx', '.xlsm']);

/**
 * @typedef {object} GrantedFile
 * @property {string} path
 * @property {string} name
 * @property {string} kind extension with its dot
 * @property {number} size
 * @property {string} stamp changes with the file
 */

/**
 * Returns the files of a call: each granted file, and all tables of a granted folder.
 * @param {unknown} given a path, or a list of paths
 * @returns {Promise<GrantedFile[]>}
 */
export async function grantedFiles(given) {
  const paths = (Array.isArray(given) ? given : [given]).filter((path) => path !== '');
  if (paths.length === 0 || paths.some((path) => typeof path !== 'string'))
    throw badParams('Choose at least one file.');
  const files = [];
  for (const path of paths) {
    const info = await statOf(path);
    const found = info.isDirectory() ? await below(path) : [path];
    for (const file of found) files.push(await describe(file));
    if (files.length > limits.files)
      throw refuse('too_many_files', `There are more than ${shown(limits.files)} files.`, {
        limit: limits.files,
      });
  }
  if (files.length === 0)
    throw refuse('no_tables', 'There are no CSV or Excel files in this folder.');
  return files;
}

/** @param {string} path */
async function statOf(path) {
  try {
    return await stat(path);
  } catch {
    throw refuse('no_file', `${basename(path)} is not there, or was not granted.`, {
      file: basename(path),
    });
  }
}

/** @param {string} folder */
async function below(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && !/^[.~]/.test(entry.name))
    .filter((entry) => inFolders.has(extname(entry.name).toLowerCase()))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** @param {string} path */
async function describe(path) {
  const { size, mtimeMs } = await statOf(path);
  const name = basename(path);
  const kind = extname(name).toLowerCase();
  if (kind === '.xls' || kind === '.ods')
    throw refuse('old_format', `${name}: save it as .xlsx or .csv first.`, { file: name });
  if (!readable.has(kind))
    throw refuse('unknown_format', `${name} is no CSV or Excel file (.csv, .tsv, .txt, .xlsx).`, {
      file: name,
    });
  if (size > limits.fileBytes)
    throw refuse('file_too_large', `${name} is larger than 64 MiB.`, { file: name, limit: 64 });
  return { path, name, kind, size, stamp: `${path}:${size}:${mtimeMs}` };
}

/** @param {GrantedFile} file */
export const bytesOf = (file) => readFile(file.path);
