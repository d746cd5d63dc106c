import { type FieldError, HostError } from '../../core/host-error.ts';
import { type HostText, msg } from '../../messages/index.ts';

/** Most errors in one report; a hostile package could cause one for each entry. */
const maxReported = 20;
const maxPrintedLength = 200;

/**
 * Collects the problems of an archive. A message continues a sentence that starts with the path:
 * `ui/a.js` + `is there twice`.
 */
export class ArchiveProblems {
  readonly #errors: FieldError[] = [];
  #count = 0;

  /** `path` is an entry name or a dotted manifest field; empty means the whole archive. */
  add(path: string, message: HostText, more: Omit<FieldError, 'path' | 'message'> = {}): void {
    this.#count += 1;
    if (this.#errors.length < maxReported)
      this.#errors.push({ path: printable(path), message, ...more });
  }

  /** @throws HostError `invalid_package` with one error for each problem, at most 20 */
  throwIfAny(): void {
    const first = this.#errors[0];
    if (first === undefined) return;
    const more = this.#count - 1;
    const { path, message: reason } = first;
    const problem =
      path === ''
        ? msg('archive.problemAsWhole', { reason })
        : msg('archive.problem', { path, reason });
    throw new HostError('invalid', 'invalid_package', msg('archive.unusable', { problem, more }), {
      errors: this.#errors,
    });
  }

  /** Adds the problem and throws as `throwIfAny`. */
  fail(path: string, message: HostText, more: Omit<FieldError, 'path' | 'message'> = {}): never {
    this.add(path, message, more);
    this.throwIfAny();
    throw new Error('unreachable');
  }
}

/** Throws an error for a single problem. */
export function rejectArchive(
  path: string,
  message: HostText,
  more: Omit<FieldError, 'path' | 'message'> = {},
): never {
  return new ArchiveProblems().fail(path, message, more);
}

/** Removes control characters and characters that change the direction of text. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '\uFFFD');
}

/**
 * Returns a name from an archive in a form that is safe to display: shortened, and without
 * invisible characters.
 */
export function printable(text: string): string {
  const printed = visible(text);
  return printed.length > maxPrintedLength ? `${printed.slice(0, maxPrintedLength)}…` : printed;
}

/** Returns the `code` of a system or zlib error. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** Converts a full disk to `disk_full`; returns any other error unchanged. */
export function asDiskProblem(error: unknown): unknown {
  const code = codeOf(error);
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  return new HostError('disk-full', 'disk_full', msg('disk.full'), { cause: error });
}
