import { HostError } from '../../../core/host-error.ts';
import { type Message, msg } from '../../../messages/index.ts';
import { connectionFailed } from '../connection-failed.ts';
import {
  diskFullCode,
  fileDamagedCode,
  fileLockedCode,
  fileMissingCode,
  type H2Error,
  queryTimeoutCode,
  readOnlyCode,
} from './h2-errors.ts';

const reasons: Record<string, Message> = {
  '28000': msg('h2.wrongPassword'),
  [fileLockedCode]: msg('h2.fileHeld'),
  [fileDamagedCode]: msg('h2.fileDamaged'),
  '90040': msg('h2.noAdministrator'),
  '90079': msg('h2.otherSettings'),
  '90048': msg('h2.otherVersion'),
  [readOnlyCode]: msg('h2.fileReadOnly'),
  [diskFullCode]: msg('disk.full'),
  [fileMissingCode]: msg('h2.fileMissing'),
  [queryTimeoutCode]: msg('h2.noAnswer', { seconds: 5 }),
};

/** Messages of Java if the system refuses an operation. */
const systemReasons: [RegExp, Message][] = [
  [
    /Permission denied|AccessDenied|Access is denied|Operation not permitted/i,
    msg('h2.fileNotOpened'),
  ],
  [/Read-only file system/i, msg('h2.diskReadOnly')],
  [/File ?name too long/i, msg('h2.pathTooLong')],
];

/** Returns the reason why the database cannot be opened. */
export function explainH2(error: unknown): HostError {
  if (error instanceof HostError) return error;
  const { code, message = '', causes = [] } = error as Partial<H2Error>;
  const messageText = [message, ...causes].join('\n');
  const system = systemReasons.find(([pattern]) => pattern.test(messageText))?.[1];
  const unknown = code === undefined ? msg('h2.notOpened') : msg('h2.notOpenedBecause', { code });
  return connectionFailed(system ?? reasons[code ?? ''] ?? unknown, error);
}
