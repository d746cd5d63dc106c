import { misleadsWindows } from '../../../platform/archives/archive-names.ts';
import { EntryProblem } from './catalog.ts';
import { msg } from '../../../messages/index.ts';

const maxPathLength = 1_024;
const maxParts = 32;
const controls = /\p{Cc}/u;

/**
 * Normalizes a path inside a repository (`./a/b`, `a/b/`, `.`); empty is the root.
 * @throws EntryProblem for a path that leaves the repository or that some systems read differently
 */
export function repositoryPath(written: string): string {
  if (written.length > maxPathLength) throw new EntryProblem(msg('catalog.pathTooLong'));
  if (controls.test(written)) throw new EntryProblem(msg('catalog.pathControl'));
  if (written.includes('\\')) throw new EntryProblem(msg('catalog.pathBackslash'));
  if (written.startsWith('/') || /^[a-z]:/i.test(written)) {
    throw new EntryProblem(msg('catalog.pathAbsolute'));
  }
  const parts = written.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.length > maxParts)
    throw new EntryProblem(msg('catalog.pathTooDeep', { limit: maxParts }));
  for (const part of parts) checkPart(part);
  return parts.join('/');
}

function checkPart(part: string): void {
  if (/^[\w-]{5,}$/.test(part)) return; // Fast path: longer than any device name, and without special characters.
  if (part === '..') throw new EntryProblem(msg('catalog.pathParent'));
  if (misleadsWindows(part)) {
    throw new EntryProblem(msg('catalog.pathUnusable'));
  }
  // git's own files; `git~1` is a second name of that folder on Windows.
  if (/^(?:\.git|git~1)$/i.test(part)) throw new EntryProblem(msg('catalog.pathIntoGit'));
}
