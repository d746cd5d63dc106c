import { type Diagnostics, hostVersion } from '../../contract/index.ts';
import type { Database } from '../../platform/database/database.ts';
import type { H2Paths } from '../../platform/database/h2/h2-runtime.ts';
import type { Log } from '../../platform/log.ts';
import { checkMachine } from '../../platform/machine-check.ts';

export interface DiagnosticsOptions {
  database: Pick<Database, 'type' | 'serverVersion'>;
  log: Log;
  h2Paths: H2Paths;
  webAllow: readonly string[];
  isolation: () => Promise<Diagnostics['isolation']>;
  plugins: () => Diagnostics['plugins'];
  mcp: () => Diagnostics['mcp'];
  /** Lines of the rules for tool calls that are none. */
  ruleProblems: () => { list: string; line: number; text: string }[];
}

/** The state of this host and of its machine, now. */
export async function diagnose(options: DiagnosticsOptions): Promise<Diagnostics> {
  const { type, serverVersion } = options.database;
  const missing = await checkMachine({
    h2Paths: options.h2Paths,
    usesH2: type === 'H2',
  });
  return {
    version: hostVersion,
    node: process.versions.node,
    platform: process.platform,
    mode: 'APP',
    database: { type, serverVersion },
    isolation: await options.isolation(),
    plugins: options.plugins(),
    mcp: options.mcp(),
    missing: [
      ...missing.map(({ what, why, fix }) => ({ what, why, fix })),
      ...options.ruleProblems().map(brokenRule),
    ],
    errors: [...options.log.errors],
    webAllow: [...options.webAllow],
  };
}

const brokenRule = ({
  list,
  line,
  text,
}: ReturnType<DiagnosticsOptions['ruleProblems']>[number]): Diagnostics['missing'][number] => ({
  what: 'Rules for tool calls',
  why: `Line ${line} of the list “${list}” is no rule, so it does nothing: ${text.slice(0, 200)}`,
  fix: 'Correct or remove the line in the settings, under permissions.',
});
