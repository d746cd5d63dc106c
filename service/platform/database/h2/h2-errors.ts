import type { BridgeAnswer } from './bridge-protocol.ts';

/** Code of the error that says that the process with the database in it is gone. */
const bridgeEndedCode = 'H2_BRIDGE_GONE';
/** Code of the error that ends a query which takes too long, as PostgreSQL has it. */
export const queryTimeoutCode = '57014';

/** H2's own codes. */
export const fileHeldCode = '90020';
export const fileDamagedCode = '90030';
/** A schema that the file names is not there. */
export const schemaMissingCode = '90079';
export const readOnlyCode = '90097';
export const fileMissingCode = '90146';

/** An error of H2. `code` is its SQLState in PostgreSQL's words, so that Sequelize knows it. */
export class H2Error extends Error {
  override name = 'H2Error';
  readonly code: string;
  /** What Java says was the reason; may hold paths, so it is for the explanation and the log. */
  readonly causes: readonly string[];
  /** The columns of a row that is there already, as PostgreSQL tells them. */
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

/** Code of a full disk, as PostgreSQL has it. */
export const diskFullCode = '53100';

/** H2's own states that Sequelize and the host know under PostgreSQL's. */
const statesOfPostgres: Record<string, string> = { '23506': '23503', '90100': diskFullCode };

/** Values of rows are cut out of the message: they may be secrets. */
export function h2ErrorOf(error: NonNullable<BridgeAnswer['error']>): H2Error {
  const { message, state = 'XX000', causes } = error;
  const full = causes.some((cause) => /No space left|Disk quota|not enough space/i.test(cause));
  const code = full ? diskFullCode : (statesOfPostgres[state] ?? state);
  // Behind the message stand the statement and the number of the release.
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
