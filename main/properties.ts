import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LaunchProperties, type Log, minMachineKeyLength } from '../service/app/index.ts';
import { UsageError } from './usage-error.ts';

export const propertyNames = [
  'host.auth.token',
  'host.machine.key',
  'host.marketplace.catalog-url',
  'management.otlp.metrics.export.url',
  'management.otlp.tracing.endpoint',
  'spring.ai.mcp.client.stdio.servers-configuration',
  'host.h2.jar',
  'host.web.allow',
  'host.allowed-hosts',
  'host.browser.path',
  'host.computer.display',
  'host.cluster',
  'host.cluster.name',
  'host.cluster.lost-after',
] as const;
/** Seconds without a heartbeat after which the other hosts treat a host as lost. */
const defaultLostAfter = 30;

export type PropertyName = (typeof propertyNames)[number];

/** Environment variables that child processes must not inherit. */
export const secretVariables = (['host.auth.token', 'host.machine.key'] as const).map(
  environmentName,
);

/** Returns the environment variable of a property: `HOST_AUTH_TOKEN` for `host.auth.token`. */
export function environmentName(property: PropertyName): string {
  return property.toUpperCase().replace(/[.-]/g, '_');
}

/**
 * Reads all properties. `textOf` returns null for one that is not set; `systemDisplay` is the value
 * of DISPLAY.
 * @throws UsageError if a value is invalid
 */
export function readProperties(
  textOf: (name: PropertyName) => string | null,
  systemDisplay: string | null = null,
): LaunchProperties {
  const read = <T>(
    name: PropertyName,
    parse: (text: string, name: PropertyName) => T,
  ): T | null => {
    const text = textOf(name);
    return text === null ? null : parse(text, name);
  };
  return {
    catalogUrl: read('host.marketplace.catalog-url', catalogUrlOf),
    mcpServersFile: read('spring.ai.mcp.client.stdio.servers-configuration', mcpServersFileOf),
    otlpMetricsUrl: read('management.otlp.metrics.export.url', otlpUrlOf),
    otlpTracesUrl: read('management.otlp.tracing.endpoint', otlpUrlOf),
    h2Jar: read('host.h2.jar', pathOf),
    browserPath: read('host.browser.path', pathOf),
    computerDisplay: read('host.computer.display', displayOf) ?? systemDisplay,
    webAllow: read('host.web.allow', addressesOf) ?? [],
    allowedHosts: read('host.allowed-hosts', hostNamesOf) ?? [],
    cluster:
      read('host.cluster', switchOf) === true
        ? {
            name: read('host.cluster.name', clusterNameOf),
            lostAfterMs: (read('host.cluster.lost-after', secondsOf) ?? defaultLostAfter) * 1_000,
          }
        : null,
  };
}

/** Logs properties that weaken a protection. */
export function logWeakenedGuards({ webAllow, allowedHosts }: LaunchProperties, log: Log): void {
  if (allowedHosts.length > 0)
    log.warn(
      'launch',
      `This host also answers as ${allowedHosts.join(', ')} (host.allowed-hosts).`,
    );
  if (webAllow.length > 0)
    log.warn('launch', `The web guard lets through ${webAllow.join(', ')} (host.web.allow).`);
}

export function tokenOf(token: string | null): string | null {
  if (token === null || /^[\x21-\x7e]{1,512}$/.test(token)) return token;
  throw new UsageError('The token must be 1 to 512 visible characters without blanks.');
}

export function machineKeyOf(key: string | null): string | null {
  if (key === null || key.length >= minMachineKeyLength) return key;
  throw new UsageError(`HOST_MACHINE_KEY must have at least ${minMachineKeyLength} characters.`);
}

function displayOf(text: string, name: PropertyName): string {
  if (/^[^\s:]*:\d{1,5}(\.\d{1,3})?$/.test(text)) return text;
  throw new UsageError(`${name} must name a display, such as :0.`);
}

function catalogUrlOf(text: string, name: PropertyName): string {
  const isFile = /^file:(\/\/(localhost)?)?\/[^/\s]\S*$/i.test(text) && URL.canParse(text);
  if (isFile || isWebAddress(text)) return text;
  throw new UsageError(`${name} must be an http, https or file address.`);
}

function otlpUrlOf(text: string, name: PropertyName): string {
  if (isWebAddress(text)) return text;
  throw new UsageError(`${name} must be an http or https address.`);
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^/\s]\S*$/i.test(text) && URL.canParse(text);
}

/** Accepts `file:<path>`, the syntax of other properties, or the bare path. */
function mcpServersFileOf(text: string, name: PropertyName): string {
  if (!/^[a-z][a-z0-9+.-]+:/i.test(text)) return pathOf(text, name);
  const path = /^file:(?<path>.*)$/is.exec(text)?.groups?.['path'];
  if (path === undefined) throw noFile(name);
  if (!path.startsWith('/')) return pathOf(path, name);
  try {
    return pathOf(fileURLToPath(text), name);
  } catch {
    throw noFile(name);
  }
}

function pathOf(text: string, name: PropertyName): string {
  if (text.trim() === '' || /[\0\r\n]/.test(text)) throw noFile(name);
  return resolve(text);
}

function noFile(name: PropertyName): UsageError {
  return new UsageError(`${name} must name a file.`);
}

function hostNamesOf(text: string, name: PropertyName): string[] {
  const names = text.split(',').map((one) => one.trim().toLowerCase());
  if (names.every(isHostName)) return [...new Set(names)];
  throw new UsageError(
    `${name} must be a list of name:port, such as localhost:8080,host.example:443.`,
  );
}

function switchOf(text: string, name: PropertyName): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new UsageError(`${name} must be true or false.`);
}

function clusterNameOf(text: string, name: PropertyName): string {
  if (/^[^\p{Cc}\p{Cs}]{1,100}$/u.test(text) && text.trim() === text) return text;
  throw new UsageError(`${name} must be a name of at most 100 characters.`);
}

/** A shorter limit would treat a host as lost when its event loop is busy for a moment. */
function secondsOf(text: string, name: PropertyName): number {
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (seconds >= 1 && seconds <= 3_600) return seconds;
  throw new UsageError(`${name} must be a number of seconds from 1 to 3600.`);
}

/** The syntax of browsers for the Host header: without the default port of https or http. */
function isHostName(text: string): boolean {
  const [, host = '', port = '80'] =
    /^([a-z0-9.-]{1,253}|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/.exec(text) ?? [];
  return host !== '' && Number(port) >= 1 && Number(port) <= 65_535;
}

function addressesOf(text: string, name: PropertyName): string[] {
  const addresses = text.split(',').map((address) => address.trim());
  if (addresses.every(isAddress)) return [...new Set(addresses)];
  throw new UsageError(`${name} must be a list of ip:port, such as 10.0.0.5:8080,[::1]:9000.`);
}

function isAddress(text: string): boolean {
  const [, six = '', four = '', port = ''] =
    /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const isIp = isIP(six) === 6 || isIP(four) === 4;
  return isIp && Number(port) >= 1 && Number(port) <= 65_535;
}
