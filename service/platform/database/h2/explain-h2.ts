import { HostError } from '../../../core/host-error.ts';
import { connectionFailed } from '../connection-failed.ts';
import {
  diskFullCode,
  fileDamagedCode,
  fileHeldCode,
  fileMissingCode,
  type H2Error,
  queryTimeoutCode,
  readOnlyCode,
} from './h2-errors.ts';

const reasons: Record<string, string> = {
  '28000': 'The user or the password of the H2 database is wrong.',
  [fileHeldCode]: 'Another program holds the H2 database. Close it and try again.',
  [fileDamagedCode]:
    'The H2 database file is damaged or unfinished. Restore a copy of it, or delete it.',
  '90040': 'The user of the H2 database has no administrator rights in it. Use another user.',
  '90079': 'The H2 database was made with other settings. Choose another file.',
  '90048': 'The file was written by another version of H2, or is not an H2 database.',
  [readOnlyCode]: 'The H2 database file is read-only. Change its permissions.',
  [diskFullCode]: 'The disk is full. Free some space and try again.',
  [fileMissingCode]: 'The H2 database file is not there.',
  [queryTimeoutCode]: 'The H2 database did not answer within 5 seconds.',
};

/** What Java says when the system refuses something. */
const systemReasons: [RegExp, string][] = [
  [
    /Permission denied|AccessDenied|Access is denied|Operation not permitted/i,
    'The H2 database file cannot be opened. Check its permissions and those of its folder.',
  ],
  [/Read-only file system/i, 'The H2 database file is on a read-only disk. Choose another one.'],
  [/File ?name too long/i, 'The path of the H2 database is too long. Choose another one.'],
];

/** Why the database cannot be opened, in a sentence for a person. */
export function explainH2(error: unknown): HostError {
  if (error instanceof HostError) return error;
  const { code = 'unknown reason', message = '', causes = [] } = error as Partial<H2Error>;
  const messageText = [message, ...causes].join('\n');
  const system = systemReasons.find(([pattern]) => pattern.test(messageText))?.[1];
  const text = system ?? reasons[code] ?? `The H2 database cannot be opened (${code}).`;
  return connectionFailed(text, error);
}
