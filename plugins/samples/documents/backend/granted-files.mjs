import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { badParams } from './plugin-kit/worker.mjs';
import { limits, refuse, shown } from './limits.mjs';

const readable = new Set(['.pdf', '.docx']);

/**
 * @typedef {object} GrantedFile
 * @property {string} path
 * @property {string} name file name; for a file in a granted folder, its relative path
 * @property {'pdf' | 'docx'} kind
 * @property {number} size
 */

/**
 * Returns the documents of a call: each granted file, and all documents of a granted folder.
 * @param {unknown} given a path, or a list of paths
 * @param {number} [limit] the maximum number of files
 * @returns {Promise<GrantedFile[]>}
 */
export async function grantedFiles(given, limit = limits.files) {
  const paths = (Array.isArray(given) ? given : [given]).filter((path) => path !== '');
  if (paths.length === 0 || paths.some((path) => typeof path !== 'string'))
    throw badParams('Choose at least one file.');
  const files = [];
  for (const path of paths) {
    const isFolder = (await statOf(path)).isDirectory();
    const found = isFolder ? await below(path) : [path];
    for (const file of found)
      files.push(await describe(file, isFolder ? file.slice(path.length + 1) : basename(file)));
    if (files.length > limit)
      throw refuse('too_many_files', `There are more than ${shown(limit)} files.`, { limit });
  }
  if (files.length === 0)
    throw refuse('no_documents', 'There are no PDF or DOCX files in this folder.');
  return files;
}

/** Returns the single document of a call. */
export async function grantedFile(given) {
  const files = await grantedFiles(given);
  if (files.length > 1) throw badParams('Choose one file.');
  return files[0];
}

async function statOf(path) {
  try {
    return await stat(path);
  } catch {
    throw refuse('no_file', `${basename(path)} is not there, or was not granted.`, {
      file: basename(path),
    });
  }
}

async function below(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && !/^[.~]/.test(entry.name))
    .filter((entry) => readable.has(extname(entry.name).toLowerCase()))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function describe(path, name) {
  const { size } = await statOf(path);
  const ending = extname(name).toLowerCase();
  if (ending === '.doc' || ending === '.odt' || ending === '.rtf')
    throw refuse('old_format', `${name}: save it as .docx or .pdf first.`, { file: name });
  if (!readable.has(ending))
    throw refuse('unknown_format', `${name} is no PDF or DOCX file.`, { file: name });
  if (size > limits.fileBytes)
    throw refuse('file_too_large', `${name} is larger than 128 MiB.`, { file: name, limit: 128 });
  return { path, name, kind: ending.slice(1), size };
}

export const bytesOf = (file) => readFile(file.path);
