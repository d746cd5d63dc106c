import { resolve } from 'node:path';
import {
  DatabaseType,
  embeddedTypes,
  LogLevel,
  type LaunchProperties,
} from '../service/app/index.ts';
import {
  environmentName,
  machineKeyOf,
  type PropertyName,
  propertyNames,
  readProperties,
  tokenOf,
} from './properties.ts';
import { UsageError } from './usage-error.ts';

/** Parsed command line and environment. Null means not set. */
export interface LaunchFlags {
  headless: boolean;
  port: number | null;
  token: string | null;
  machineKey: string | null;
  workDirectory: string | null;
  web: boolean;
  setup: DatabaseType | null;
  logLevel: LogLevel | null;
  /**
   * If a host already runs in this working directory, request a fresh address from it instead of
   * failing.
   */
  reopen: boolean;
  /** Report what this machine lacks, and exit. */
  doctor: boolean;
  /** Run as an MCP server on stdin and stdout. */
  mcp: boolean;
  /** End the host of the working directory. */
  stop: boolean;
  restore: Restore;
  properties: LaunchProperties;
}

/** Files to restore before the start; at most one of the fields is set. */
export interface Restore {
  /** Name of a snapshot in the working directory. */
  snapshot?: string;
  /** Absolute path of a backup file. */
  backup?: string;
}

const switches = ['headless', 'web', 'reopen', 'doctor', 'mcp', 'stop'] as const;
const values = [
  'port',
  'token',
  'work-dir',
  'setup',
  'log-level',
  'restore-snapshot',
  'restore-backup',
] as const;

/** Chromium's switches for the desktop; ignored without a window. */
const chromiumSwitches = ['disable-gpu', 'enable-wayland-ime'];
const chromiumValues = [
  'ozone-platform',
  'ozone-platform-hint',
  'force-device-scale-factor',
  'password-store',
  'gtk-version',
  // Selects the dialogs of GTK or KDE instead of the portal's.
  'xdg-portal-required-version',
];
const chromiumValue = /^[a-z0-9.-]{1,30}$/;

function isOfChromium(name: string, hasValue: string | undefined, value: string): boolean {
  if (chromiumSwitches.includes(name)) return !hasValue;
  return chromiumValues.includes(name) && chromiumValue.test(value);
}

interface ParsedFlags {
  switches: Set<string>;
  /** Values by flag as written: `--port`, `-Dhost.auth.token`. */
  values: Map<string, string>;
  properties: Map<string, string>;
}

/**
 * Reads the command line, then the environment.
 * @throws UsageError if they are invalid
 */
export function readFlags(args: readonly string[], environment: NodeJS.ProcessEnv): LaunchFlags {
  const parsed: ParsedFlags = { switches: new Set(), values: new Map(), properties: new Map() };
  for (const arg of args) take(arg, parsed);
  const property = (name: PropertyName): string | null =>
    parsed.properties.get(`-D${name}`) ??
    parsed.properties.get(`--${name}`) ??
    environment[environmentName(name)] ??
    null;
  return {
    headless: parsed.switches.has('headless'),
    port: read(parsed, 'port', portOf),
    token: tokenOf(parsed.values.get('--token') ?? property('host.auth.token')),
    machineKey: machineKeyOf(property('host.machine.key')),
    workDirectory: read(parsed, 'work-dir', directoryOf),
    web: webOf(parsed),
    setup: read(parsed, 'setup', setupOf),
    logLevel: read(parsed, 'log-level', logLevelOf),
    reopen: parsed.switches.has('reopen'),
    doctor: parsed.switches.has('doctor'),
    mcp: mcpOf(parsed),
    stop: parsed.switches.has('stop'),
    restore: restoreOf(parsed),
    properties: readProperties(property, environment['DISPLAY'] || null),
  };
}

function take(arg: string, parsed: ParsedFlags): void {
  const [, dashes = '', name = '', hasValue, value = ''] =
    /^(-D|--)([^=]+)(=([\s\S]*))?$/.exec(arg) ?? [];
  const property = propertyNames.find((one) => one === name || environmentName(one) === name);
  const flag = dashes + (property ?? name);
  if (property) store(parsed.properties, flag, hasValue, value);
  else if (dashes !== '--') throw unknown(arg);
  else if (isOfChromium(name, hasValue, value)) return;
  else if ((values as readonly string[]).includes(name))
    store(parsed.values, flag, hasValue, value);
  else if ((switches as readonly string[]).includes(name)) {
    if (hasValue) throw new UsageError(`--${name} takes no value.`);
    parsed.switches.add(name);
  } else throw unknown(arg);
}

/** Repeats the argument only if it looks like a flag name: anything else may be a secret. */
function unknown(arg: string): UsageError {
  const name = /^--?[A-Za-z][A-Za-z._-]{0,60}(?==|$)/.exec(arg)?.[0];
  const what =
    name === undefined ? 'There is an argument that is no flag.' : `Unknown flag ${name}.`;
  return new UsageError(`${what} The README lists the flags.`);
}

function store(
  map: Map<string, string>,
  flag: string,
  hasValue: string | undefined,
  value: string,
): void {
  if (!hasValue) throw new UsageError(`${flag} needs a value: ${flag}=…`);
  map.set(flag, value);
}

function read<T>(
  parsed: ParsedFlags,
  name: (typeof values)[number],
  parse: (text: string) => T,
): T | null {
  const text = parsed.values.get(`--${name}`);
  return text === undefined ? null : parse(text);
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new UsageError('--port must be a number from 0 to 65535.');
}

function directoryOf(text: string): string {
  if (text === '' || text.includes('\0')) throw new UsageError('--work-dir must name a folder.');
  return resolve(text);
}

function webOf(parsed: ParsedFlags): boolean {
  if (!parsed.switches.has('web')) return false;
  if (parsed.switches.has('headless')) return true;
  throw new UsageError('--web needs --headless.');
}

function setupOf(text: string): DatabaseType {
  const type = DatabaseType.safeParse(text.toUpperCase());
  if (type.success && embeddedTypes.includes(type.data)) return type.data;
  throw new UsageError(`--setup must be one of ${embeddedTypes.join(', ')}.`);
}

function logLevelOf(text: string): LogLevel {
  const level = LogLevel.safeParse(text.toUpperCase());
  if (level.success) return level.data;
  throw new UsageError(`--log-level must be one of ${LogLevel.options.join(', ')}.`);
}

function mcpOf(parsed: ParsedFlags): boolean {
  const mcp = parsed.switches.has('mcp');
  if (mcp && parsed.switches.has('doctor'))
    throw new UsageError('--doctor and --mcp cannot be used together.');
  return mcp;
}

/** The name of a snapshot is never a path. */
const snapshotName = /^[A-Za-z0-9][\w.+-]{0,199}$/;

function restoreOf(parsed: ParsedFlags): Restore {
  const restore: Restore = {};
  const snapshot = parsed.values.get('--restore-snapshot');
  const backup = parsed.values.get('--restore-backup');
  if (snapshot !== undefined) {
    if (!snapshotName.test(snapshot))
      throw new UsageError('--restore-snapshot must be the name of a snapshot.');
    restore.snapshot = snapshot;
  }
  if (backup !== undefined) {
    if (backup === '' || backup.includes('\0'))
      throw new UsageError('--restore-backup must name a file.');
    restore.backup = resolve(backup);
  }
  checkTogether(Object.keys(restore), parsed);
  return restore;
}

function checkTogether(restored: string[], parsed: ParsedFlags): void {
  if (restored.length > 1)
    throw new UsageError('--restore-snapshot and --restore-backup cannot be used together.');
  if (restored.length > 0 && parsed.switches.has('doctor'))
    throw new UsageError(
      '--doctor changes nothing: leave --restore-snapshot and --restore-backup out.',
    );
}
