import { isObject } from '../../../core/is-object.ts';
import { oauthOf } from './mcp-oauth.ts';
import { addressIn, transportOf } from './mcp-transport.ts';
import type { McpServerDefinition } from './plugin-contents.ts';
import { usableName } from './visible-text.ts';
import { type Message, msg } from '../../../messages/index.ts';

const maxValues = 500;
const maxTimeoutSeconds = 3_600;
/** No server needs a timeout of a quarter of an hour, so larger numbers are milliseconds. */
const leastMilliseconds = 1_000;

type Outcome = McpServerDefinition | { problem: Message };

/** Reads one server in the formats of several hosts. Unknown keys are ignored. */
export function mcpServerDefinition(written: string, value: unknown): Outcome {
  const name = usableName(written);
  if (name === null) return { problem: msg('contributions.serverName') };
  if (!isObject(value)) return { problem: msg('contributions.notObject') };
  if (value.disabled === true || value.enabled === false) {
    return { problem: msg('contributions.serverDisabled') };
  }
  const transport = transportOf(value);
  if (typeof transport === 'object') return transport;
  const timeoutSeconds = timeoutOf(value);
  const shared = { name, transport, ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }) };
  return transport === 'STDIO' ? local(shared, value) : remote(shared, value);
}

function local(
  shared: Pick<McpServerDefinition, 'name' | 'transport' | 'timeoutSeconds'>,
  value: Record<string, unknown>,
): Outcome {
  const { command, cwd } = value;
  if (typeof command !== 'string' || command.trim() === '') {
    return { problem: msg('contributions.serverWithoutCommand') };
  }
  const args = textList(value.args);
  const env = textMap(value.env);
  if (args === null) return { problem: msg('contributions.serverArguments') };
  if (env === null) return { problem: msg('contributions.serverVariables') };
  const server: McpServerDefinition = {
    ...shared,
    command,
    ...(args === undefined ? {} : { args }),
    ...(env === undefined ? {} : { env }),
    ...(typeof cwd === 'string' && cwd !== '' ? { cwd } : {}),
  };
  return hasNul(server) ? { problem: msg('contributions.serverCharacter') } : server;
}

function remote(
  shared: Pick<McpServerDefinition, 'name' | 'transport' | 'timeoutSeconds'>,
  value: Record<string, unknown>,
): Outcome {
  const url = addressIn(value);
  // A variable may stand for a part of the address or all of it.
  if (typeof url !== 'string' || !/^(?:https?:\/\/|\$\{)[^\s\p{Cc}]+$/iu.test(url)) {
    return { problem: msg('contributions.serverWithoutAddress') };
  }
  const headers = textMap(value.headers ?? value.http_headers);
  if (headers === null || Object.values(headers ?? {}).some((text) => /[\r\n\0]/.test(text))) {
    return { problem: msg('contributions.serverHeaders') };
  }
  const oauth = oauthOf(value);
  return {
    ...shared,
    url,
    ...(headers === undefined ? {} : { headers }),
    ...(oauth === undefined ? {} : { oauth }),
  };
}

/** Undefined if absent, null if invalid. Numbers and booleans become text. */
function textList(value: unknown): string[] | undefined | null {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value) || value.length > maxValues) return null;
  const texts = value.map(asText);
  return texts.every((text) => text !== null) ? texts : null;
}

function textMap(value: unknown): Record<string, string> | undefined | null {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value) || Object.keys(value).length > maxValues) return null;
  const entries = Object.entries(value).map(([key, one]) => [key, asText(one)] as const);
  if (entries.some(([key, text]) => text === null || key === '')) return null;
  return Object.fromEntries(entries.map(([key, text]) => [key, text ?? '']));
}

function asText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** `tool_timeout_sec` is in seconds; `timeout` is in milliseconds, or in seconds if it is small. */
function timeoutOf(value: Record<string, unknown>): number | undefined {
  const { tool_timeout_sec: seconds, timeout } = value;
  if (isPositive(seconds)) return inRange(seconds);
  if (!isPositive(timeout)) return undefined;
  return inRange(timeout >= leastMilliseconds ? timeout / 1_000 : timeout);
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

function inRange(seconds: number): number {
  return Math.min(Math.max(Math.round(seconds), 1), maxTimeoutSeconds);
}

function hasNul(server: McpServerDefinition): boolean {
  const { command = '', cwd = '', args = [], env = {} } = server;
  return [command, cwd, ...args, ...Object.entries(env).flat()].some((text) => text.includes('\0'));
}
