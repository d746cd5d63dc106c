import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findH2Runtime } from '../platform/database/h2/h2-runtime.ts';

/**
 * Runs statements in H2's own shell, independent of this host, and returns its output. Rejects if
 * the URL cannot be opened or a statement fails.
 */
export async function runH2Shell(
  url: string,
  sql: string,
  login: { user: string; password: string } = { user: 'sa', password: '' },
): Promise<string> {
  const { java, jar } = await findH2Runtime({ jarProperty: null, bridgeDirectory: null });
  const { user, password } = login;
  const tool = ['-cp', jar ?? '', 'org.h2.tools.Shell'];
  const { stdout } = await promisify(execFile)(
    java ?? 'java',
    [...tool, ...['-url', url, '-user', user, '-password', password, '-sql', sql]],
    // Java decodes its arguments by the locale, which may not be set.
    { env: { ...process.env, LC_ALL: 'C.UTF-8' } },
  );
  // The shell prints the error of a statement but exits with 0.
  if (/^Error: /m.test(stdout)) throw new Error(stdout);
  return stdout;
}
