import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findH2Runtime } from '../platform/database/h2/h2-runtime.ts';

/**
 * Runs statements in H2's own shell, which knows nothing of this host, and returns what it prints.
 * Rejects where the URL does not open or a statement fails.
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
    // Java reads its arguments as the locale has them, and a machine may have none.
    { env: { ...process.env, LC_ALL: 'C.UTF-8' } },
  );
  // What fails in a statement is printed, and the program ends as if it were well.
  if (/^Error: /m.test(stdout)) throw new Error(stdout);
  return stdout;
}
