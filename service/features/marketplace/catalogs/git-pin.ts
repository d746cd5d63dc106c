import { EntryProblem } from './catalog.ts';
import { msg } from '../../../messages/index.ts';

const maxRefLength = 250;
const commit = /^[0-9a-f]{40}$/i;
/** Names that `git check-ref-format` refuses, and `+`, which forces an update before a name. */
const forbiddenInRef =
  /^[-+/]|[\p{Cc}\s~^:?*[\\]|\.\.|@\{|^@$|\/\/|(?:^|\/)\.|\.lock(?:\/|$)|[./]$/u;

/** A branch or tag; null if absent. @throws EntryProblem */
export function readRef(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string' || value.length > maxRefLength || !isRefName(value)) {
    throw new EntryProblem(msg('catalog.badRef'));
  }
  return value;
}

/** A commit, 40 lower-case hex digits; null if absent. @throws EntryProblem */
export function readSha(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string' || !commit.test(value)) {
    throw new EntryProblem(msg('catalog.badSha'));
  }
  return value.toLowerCase();
}

function isRefName(text: string): boolean {
  return /^\w[\w-]*$/.test(text) || !forbiddenInRef.test(text);
}
