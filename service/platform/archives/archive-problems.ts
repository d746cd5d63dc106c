import { type FieldError, HostError } from '../../core/host-error.ts';
import { type HostText, msg } from '../../messages/index.ts';

/** Enough to see what is wrong; a hostile package could have one for each of its entries. */
const maxReported = 20;
const maxPrintedLength = 200;

/**
 * What is wrong with an archive, gathered until somebody asks.
 * A message continues the sentence that its path begins: `ui/a.js` + `is there twice`.
 */
export class ArchiveProblems {
  readonly #errors: FieldError[] = [];
  #count = 0;

  /** `path` is an entry name or a dotted manifest field; empty means the archive as a whole. */
  add(path: string, message: HostText, more: Omit<FieldError, 'path' | 'message'> = {}): void {
    this.#count += 1;
    if (this.#errors.length < maxReported)
      this.#errors.push({ path: printable(path), message, ...more });
  }

  /** Throws `invalid_package` (kind `invalid`) with one error for each problem, at most 20. */
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

  /** Adds the problem and throws. */
  fail(path: string, message: HostText, more: Omit<FieldError, 'path' | 'message'> = {}): never {
    this.add(path, message, more);
    this.throwIfAny();
    throw new Error('unreachable');
  }
}

/** The one-problem case of ArchiveProblems. */
export function rejectArchive(
  path: string,
  message: HostText,
  more: Omit<FieldError, 'path' | 'message'> = {},
): never {
  return new ArchiveProblems().fail(path, message, more);
}

/** Text that others wrote, without control or direction-changing characters. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '\uFFFD');
}

/** A name from an archive, safe to show: visible, and not endless. */
export function printable(text: string): string {
  const printed = visible(text);
  return printed.length > maxPrintedLength ? `${printed.slice(0, maxPrintedLength)}…` : printed;
}

/** The `code` of an error of the system or of zlib. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** A full disk becomes `disk_full`; anything else is handed back as it is. */
export function asDiskProblem(error: unknown): unknown {
  const code = codeOf(error);
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  return new HostError('disk-full', 'disk_full', msg('disk.full'), { cause: error });
}
