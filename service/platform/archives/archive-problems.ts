import { type FieldError, HostError } from '../../core/host-error.ts';
import { type HostText, textOf } from '../../messages/index.ts';

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
  add(path: string, message: HostText): void {
    this.#count += 1;
    if (this.#errors.length < maxReported) this.#errors.push({ path: printable(path), message });
  }

  /** Throws `invalid_package` (kind `invalid`) with one error for each problem, at most 20. */
  throwIfAny(): void {
    const first = this.#errors[0];
    if (first === undefined) return;
    const more = this.#count - 1;
    const rest = more === 0 ? '' : ` (and ${more} more ${more === 1 ? 'problem' : 'problems'})`;
    throw new HostError(
      'invalid',
      'invalid_package',
      `The package cannot be used: ${first.path || 'it'} ${textOf(first.message)}${rest}. ` +
        'Correct it and pack it again, or get another copy from its author.',
      { errors: this.#errors },
    );
  }

  /** Adds the problem and throws. */
  fail(path: string, message: HostText): never {
    this.add(path, message);
    this.throwIfAny();
    throw new Error('unreachable');
  }
}

/** The one-problem case of ArchiveProblems. */
export function rejectArchive(path: string, message: HostText): never {
  return new ArchiveProblems().fail(path, message);
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
  return new HostError(
    'disk-full',
    'disk_full',
    'The disk is full. Free some space and try again.',
    { cause: error },
  );
}
