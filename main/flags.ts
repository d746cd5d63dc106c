import { resolve } from 'node:path';
import {
  DatabaseType,
  embeddedTypes,
  LogLevel,
  minMachineKeyLength,
} from '../service/app/index.ts';

/** A command line that cannot be followed; one sentence that says why. */
export class UsageError extends Error {}

export interface LaunchFlags {
  headless: boolean;
  port: number | null;
  token: string | null;
  machineKey: string | null;
  workDirectory: string | null;
  web: boolean;
  setup: DatabaseType | null;
  logLevel: LogLevel | null;
  /** When a host runs in this working directory already: ask it for a fresh address instead of failing. */
  reopen: boolean;
}

const switches = ['headless', 'web', 'reopen'] as const;
const values = ['port', 'token', 'work-dir', 'setup', 'log-level'] as const;
const properties = ['host.auth.token', 'host.machine.key'] as const;
type Property = (typeof properties)[number];

interface Given {
  switches: Set<string>;
  /** By the flag as it was written: `--port`, `-Dhost.auth.token`. */
  values: Map<string, string>;
  properties: Map<string, string>;
}

/** Reads the command line, then the environment. Throws `UsageError`. */
export function readFlags(args: readonly string[], environment: NodeJS.ProcessEnv): LaunchFlags {
  const given: Given = { switches: new Set(), values: new Map(), properties: new Map() };
  for (const arg of args) take(arg, given);
  const property = (name: Property): string | null =>
    given.properties.get(`-D${name}`) ??
    given.properties.get(`--${name}`) ??
    environment[environmentName(name)] ??
    null;
  return {
    headless: given.switches.has('headless'),
    port: read(given, 'port', portOf),
    token: tokenOf(given.values.get('--token') ?? property('host.auth.token')),
    machineKey: machineKeyOf(property('host.machine.key')),
    workDirectory: read(given, 'work-dir', directoryOf),
    web: webOf(given),
    setup: read(given, 'setup', setupOf),
    logLevel: read(given, 'log-level', logLevelOf),
    reopen: given.switches.has('reopen'),
  };
}

function take(arg: string, given: Given): void {
  const [, dashes = '', name = '', hasValue, value = ''] =
    /^(-D|--)([^=]+)(=([\s\S]*))?$/.exec(arg) ?? [];
  const property = properties.find((one) => one === name || environmentName(one) === name);
  const flag = dashes + (property ?? name);
  if (property) store(given.properties, flag, hasValue, value);
  else if (dashes !== '--') throw unknown(arg);
  else if ((values as readonly string[]).includes(name)) store(given.values, flag, hasValue, value);
  else if ((switches as readonly string[]).includes(name)) {
    if (hasValue) throw new UsageError(`--${name} takes no value.`);
    given.switches.add(name);
  } else throw unknown(arg);
}

/** `host.auth.token` is `HOST_AUTH_TOKEN` in the environment. */
function environmentName(property: Property): string {
  return property.toUpperCase().replaceAll('.', '_');
}

/** Only what looks like the name of a flag is repeated: all else may be a secret. */
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
  given: Given,
  name: (typeof values)[number],
  parse: (text: string) => T,
): T | null {
  const text = given.values.get(`--${name}`);
  return text === undefined ? null : parse(text);
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new UsageError('--port must be a number from 0 to 65535.');
}

function tokenOf(token: string | null): string | null {
  if (token === null || /^[\x21-\x7e]{1,512}$/.test(token)) return token;
  throw new UsageError('The token must be 1 to 512 visible characters without blanks.');
}

function machineKeyOf(key: string | null): string | null {
  if (key === null || key.length >= minMachineKeyLength) return key;
  throw new UsageError(`HOST_MACHINE_KEY must have at least ${minMachineKeyLength} characters.`);
}

function directoryOf(text: string): string {
  if (text === '' || text.includes('\0')) throw new UsageError('--work-dir must name a folder.');
  return resolve(text);
}

function webOf(given: Given): boolean {
  if (!given.switches.has('web')) return false;
  if (given.switches.has('headless')) return true;
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
