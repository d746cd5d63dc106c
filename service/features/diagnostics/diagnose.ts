import { type Diagnostics, hostVersion } from '../../contract/index.ts';
import type { Database } from '../../platform/database/database.ts';
import type { H2Paths } from '../../platform/database/h2/h2-runtime.ts';
import type { Log } from '../../platform/log.ts';
import { checkMachine, type MissingPiece } from '../../platform/machine-check.ts';
import { msg, wireText } from '../../messages/index.ts';

/** The sources of the diagnostics. */
export interface DiagnosticsOptions {
  database: Pick<Database, 'type' | 'serverVersion'>;
  log: Log;
  h2Paths: H2Paths;
  webAllow: readonly string[];
  isolation: () => Promise<Diagnostics['isolation']>;
  plugins: () => Diagnostics['plugins'];
  mcp: () => Diagnostics['mcp'];
  /** Stored secrets that this host cannot decrypt. */
  lostSecrets: () => Lack[];
  /** Invalid lines of the permission rules. */
  ruleProblems: () => { list: string; line: number; text: string }[];
}

/** A missing piece of this machine or its data, and how to get it. */
export type Lack = Omit<MissingPiece, 'needed'>;

/** Collects the present state of this host and its machine. */
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
      ...[...missing, ...options.lostSecrets()].map(wireLack),
      ...options.ruleProblems().map(brokenRule),
    ],
    errors: [...options.log.errors],
    webAllow: [...options.webAllow],
  };
}

/** The text in English, with its message if it is one. */
export const wireLack = ({ what, why, fix }: Lack): Diagnostics['missing'][number] => ({
  ...wireText('what', what),
  ...wireText('why', why),
  ...wireText('fix', fix),
});

const brokenRule = ({
  list,
  line,
  text,
}: ReturnType<DiagnosticsOptions['ruleProblems']>[number]): Diagnostics['missing'][number] =>
  wireLack({
    what: msg('diagnostics.rules'),
    why: msg('diagnostics.ruleIgnored', { list, line, rule: text.slice(0, 200) }),
    fix: msg('diagnostics.ruleFix'),
  });
