import {
  type DatabaseFinding,
  examine,
  type Examination,
  hostPaths,
} from '../service/app/index.ts';
import type { LaunchFlags } from './flags.ts';
import { findHolder, type Holder } from './instance-lock.ts';
import { builtResources } from './resources.ts';
import { outliveReaders } from './safety-nets.ts';
import { textOf } from '../service/messages/index.ts';

const endedBySignal = 130;

/**
 * Prints the facts about this installation and what is missing. Changes nothing, takes no lock and
 * starts no server. Resolves with the exit code: 0 if nothing required is missing, else 1.
 */
export async function runDoctor(flags: LaunchFlags): Promise<number> {
  outliveReaders();
  // Exit through process.exit, so that exit handlers delete temporary files.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => process.exit(endedBySignal));
  const paths = hostPaths(flags.workDirectory ?? (await defaultDirectory(flags)));
  const { machineKey, properties } = flags;
  const isRunning = async (): Promise<boolean> => (await findHolder(paths.host)) !== null;
  const examination = await examine({
    paths,
    machineKey,
    properties,
    resources: builtResources(false),
    isRunning,
  });
  const report = reportOf(examination, paths.workDirectory, await findHolder(paths.host));
  await new Promise((resolve) => process.stdout.write(report, resolve));
  return complaintsOf(examination).length === 0 ? 0 : 1;
}

/** Returns the working directory that is used without `--workDirectory`. */
export async function defaultDirectory({ headless }: LaunchFlags): Promise<string> {
  if (headless || process.versions['electron'] === undefined) return process.cwd();
  const { userDataDirectory } = await import('./desktop/user-data.ts');
  return userDataDirectory();
}

/** Formats the report for a person: one item a row, without colours. */
export function reportOf(
  examination: Examination,
  workDirectory: string,
  holder: Holder | null,
): string {
  const { version, node, platform, database, isolation, plugins } = examination;
  const port = holder?.port ?? null;
  const running = holder && `process ${holder.pid}${port === null ? '' : ` on port ${port}`}`;
  const { backend, sandboxed, reason = '', advice = '' } = isolation;
  const tried = sandboxed ? ' (a trial ran in it)' : '';
  const rows: [string, string[]][] = [
    ['Version', [version]],
    ['Node', [node]],
    ['Platform', [platform]],
    ['Folder', [workDirectory]],
    ['Running', [running ?? 'no']],
    ['Run mode', [modeOf(database)]],
    ['Database', databaseLines(database)],
    ['Isolation', [`sandbox: ${backend}${tried}`, textOf(reason), textOf(advice)]],
    [
      'Plugins',
      [...plugins.map(({ id, version: own }) => `${id} ${own}`), ...damageOf(examination)],
    ],
    ['Missing', examination.missing.flatMap(missingLines)],
  ];
  return [
    ...rows.flatMap(([title, lines]) => rowOf(title, lines)),
    '',
    ...verdictOf(examination),
    '',
  ]
    .map(printable)
    .join('\n');
}

const titleWidth = 11;

function rowOf(title: string, lines: string[]): string[] {
  const notes = lines.filter((line) => line !== '');
  const [first = 'none', ...rest] = notes;
  return [title.padEnd(titleWidth) + first, ...rest.map((line) => ' '.repeat(titleWidth) + line)];
}

function modeOf({ state }: DatabaseFinding): string {
  if (state === 'not-configured') return 'SETUP: the next start opens the wizard';
  if (state === 'broken' || state === 'fails') return 'SETUP: the database cannot be used';
  return 'APP';
}

function databaseLines(finding: DatabaseFinding): string[] {
  switch (finding.state) {
    case 'not-configured':
      return ['none is configured'];
    case 'broken':
      return [finding.message];
    case 'in-use':
      return [`${finding.type}, in use by the running host`];
    case 'not-made':
      return [`${finding.type}, its file is created at the next start`];
    case 'not-tried':
      return [`${finding.type}, not tested: its file is large`];
    case 'answers':
      return [`${finding.type} ${finding.serverVersion}, answers within ${finding.elapsedMs} ms`];
    case 'fails':
      return [`${finding.type}, does not answer`, finding.message];
  }
}

function missingLines({ what, why, fix, needed }: Examination['missing'][number]): string[] {
  const state = needed ? 'needed' : 'optional';
  return [`${textOf(what)} (${state})`, `  ${textOf(why)}`, `  ${textOf(fix)}`];
}

function damageOf({ damagedPlugins }: Examination): string[] {
  return damagedPlugins.map(({ id, reason }) => `${id}, damaged: ${reason}`);
}

function verdictOf(examination: Examination): string[] {
  const complaints = complaintsOf(examination);
  return complaints.length === 0 ? ['All requirements are met.'] : complaints;
}

function complaintsOf({ database, missing, damagedPlugins }: Examination): string[] {
  const { state } = database;
  return [
    ...missing
      .filter(({ needed }) => needed)
      .map(({ what, fix }) => `${textOf(what)} is missing: ${textOf(fix)}`),
    ...(state === 'broken' || state === 'fails' ? ['The configured database cannot be used.'] : []),
    ...damagedPlugins.map(({ id }) => `The plugin ${id} is damaged: upload it again or remove it.`),
  ];
}

/** Names come from the disk and may contain terminal escape sequences. */
function printable(line: string): string {
  return line.replace(/[\0-\x1f\x7f-\x9f]/g, '�');
}
