import type { BridgeAnswer } from './bridge-protocol.ts';

/** Code of errors after the process of the database has ended. */
const bridgeEndedCode = 'H2_BRIDGE_GONE';
/** Code of PostgreSQL for a query that exceeded its time limit. */
export const queryTimeoutCode = '57014';

/** Codes of H2. */
export const fileLockedCode = '90020';
export const fileDamagedCode = '90030';
/** The file refers to a schema that does not exist. */
export const schemaMissingCode = '90079';
export const readOnlyCode = '90097';
export const fileMissingCode = '90146';

/**
 * An error of H2. `code` is the corresponding SQLSTATE of PostgreSQL, so that Sequelize recognizes
 * it.
 */
export class H2Error extends Error {
  override name = 'H2Error';
  readonly code: string;
  /**
   * Causes reported by Java. They may contain paths, so they are only for the explanation and the
   * log.
   */
  readonly causes: readonly string[];
  /** Columns of a conflicting row, in PostgreSQL's format. */
  readonly detail: string | undefined;

  constructor(message: string, code: string, more: { causes?: string[]; detail?: string } = {}) {
    super(message);
    this.code = code;
    this.causes = more.causes ?? [];
    this.detail = more.detail;
  }
}

export function bridgeEnded(): H2Error {
  return new H2Error('The database process has ended. Try again.', bridgeEndedCode);
}

/** Code of PostgreSQL for a full disk. */
export const diskFullCode = '53100';

/** States of H2 by the corresponding state of PostgreSQL. */
const statesOfPostgres: Record<string, string> = { '23506': '23503', '90100': diskFullCode };

/** Removes values of rows from the message, since they may be secrets. */
export function h2ErrorOf(error: NonNullable<BridgeAnswer['error']>): H2Error {
  const { message, state = 'XX000', causes } = error;
  const full = causes.some((cause) => /No space left|Disk quota|not enough space/i.test(cause));
  const code = full ? diskFullCode : (statesOfPostgres[state] ?? state);
  // The statement and the release number follow the message.
  const summary = message.split(/; SQL statement:\n|\s\[\d+-\d+\]$/, 1)[0] ?? '';
  if (code === '23505') {
    const columns = /\bON [^(]*\(([^)]*)\)/.exec(summary)?.[1] ?? '';
    const names = columns.replaceAll(/ (?:ASC|DESC|NULLS FIRST|NULLS LAST)\b/g, '');
    const blanks = names.replaceAll(/[^,]+/g, '');
    const text = `A row with the same ${names || 'key'} is there already.`;
    return new H2Error(text, code, { causes, detail: `Key (${names})=(${blanks})` });
  }
  return new H2Error(withoutValues(summary, state), code, { causes });
}

function withoutValues(message: string, state: string): string {
  if (state === '22001') return message.replace(/": "[^]*$/, '"');
  if (state === '22018') return message.replace(/ converting [^]*$/, '');
  if (state === '23506') return message.replace(/ \([^()]*\)"?$/, '"');
  return message;
}
