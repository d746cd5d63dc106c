import { misleadsWindows } from '../../../platform/archives/archive-names.ts';
import { EntryProblem } from './catalog.ts';

const maxPathLength = 1_024;
const maxParts = 32;
const controls = /\p{Cc}/u;

/**
 * A path inside a repository as a catalogue writes it (`./a/b`, `a/b/`, `.`), without what says nothing;
 * empty is the root. Throws EntryProblem for one that leaves the repository or that some system reads
 * differently.
 */
export function repositoryPath(written: string): string {
  if (written.length > maxPathLength) throw new EntryProblem('has a path that is too long');
  if (controls.test(written)) throw new EntryProblem('has a control character in its path');
  if (written.includes('\\')) throw new EntryProblem('has a backslash in its path');
  if (written.startsWith('/') || /^[a-z]:/i.test(written)) {
    throw new EntryProblem('has an absolute path, which leads out of the repository');
  }
  const parts = written.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.length > maxParts) throw new EntryProblem(`has a path of more than ${maxParts} parts`);
  for (const part of parts) checkPart(part);
  return parts.join('/');
}

function checkPart(part: string): void {
  if (/^[\w-]{5,}$/.test(part)) return; // Longer than any device name, and nothing special in it.
  if (part === '..')
    throw new EntryProblem('has ".." in its path, which leads out of the repository');
  if (misleadsWindows(part)) {
    throw new EntryProblem('has a part in its path that not every system can have as a file name');
  }
  // git keeps its own files there; the second is how Windows also calls that folder.
  if (/^(?:\.git|git~1)$/i.test(part)) throw new EntryProblem("has a path into git's own files");
}
