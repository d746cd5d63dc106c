import { describe, expect, it } from 'vitest';
import { databaseProblem } from './database-problem.ts';

const wrapped = (code: string): Error =>
  Object.assign(new Error('insert'), {
    name: 'SequelizeDatabaseError',
    original: Object.assign(new Error('inner'), { code }),
  });

describe('an error of the database', () => {
  it.each(['SQLITE_FULL', '53100', 'ER_RECORD_FILE_FULL', 'ENOSPC'])(
    'reports a full disk: %s',
    (code) => {
      expect(databaseProblem(wrapped(code))).toMatchObject({
        kind: 'disk-full',
        code: 'disk_full',
      });
    },
  );

  it.each(['SQLITE_BUSY', '57P01', 'ECONNREFUSED', 'PROTOCOL_CONNECTION_LOST', 'H2_BRIDGE_GONE'])(
    'reports an unavailable database: %s',
    (code) => {
      expect(databaseProblem(wrapped(code))).toMatchObject({
        kind: 'unavailable',
        code: 'database_unavailable',
      });
    },
  );

  it.each([
    'SQLITE_READONLY',
    '25006',
    'ER_OPTION_PREVENTS_STATEMENT',
    'ER_READ_ONLY_MODE',
    '90097',
  ])('says that the database takes no changes: %s', (code) => {
    expect(databaseProblem(wrapped(code))).toMatchObject({
      kind: 'unavailable',
      code: 'database_read_only',
    });
  });

  it('without a code is recognized by its message', () => {
    for (const message of [
      'Connection terminated unexpectedly',
      'Client has encountered a connection error and is not queryable',
      'Client was closed and is not queryable',
    ]) {
      const broken = Object.assign(new Error(message), { name: 'SequelizeDatabaseError' });
      expect(databaseProblem(broken)?.code).toBe('database_unavailable');
    }
    expect(
      databaseProblem(Object.assign(new Error('x'), { name: 'SequelizeConnectionRefusedError' }))
        ?.code,
    ).toBe('database_unavailable');
  });

  it('with another cause is left unchanged', () => {
    expect(databaseProblem(wrapped('23505'))).toBeNull();
    expect(
      databaseProblem(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })),
    ).toBeNull();
    expect(databaseProblem(null)).toBeNull();
  });
});
