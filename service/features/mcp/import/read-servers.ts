import type { z } from 'zod';
import { McpDefinition } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { printable } from '../../../platform/archives/archive-problems.ts';
import { mcpServerDefinition, type McpServerDefinition } from '../../contributions/index.ts';
import { checkDefinition } from '../definitions/user-server-store.ts';
import { programAndArguments } from './command-words.ts';
import { lostKeys } from './lost-keys.ts';
import { isObject } from '../../../core/is-object.ts';
import { freeName, safeName } from './safe-name.ts';
import { withDefaults } from './variables.ts';
import { type HostText, issueMessages, type Message, msg } from '../../../messages/index.ts';

/** The reason why a server, or a part of it, was not imported. */
export interface ImportWarning {
  /** Name of the server in the document. */
  name: string;
  reason: HostText;
}

/** Servers of a document. */
export interface FoundServers {
  servers: McpDefinition[];
  warnings: ImportWarning[];
}

type Warn = (reason: HostText) => void;

const maxServers = 100;

/**
 * Reads the servers of other programs by name. An invalid one does not affect the others. No server
 * gets one of the existing `names`.
 */
export async function readServers(
  written: Record<string, unknown>,
  names: readonly string[] = [],
): Promise<FoundServers> {
  const entries = Object.entries(written);
  const taken = new Set(names.map((name) => name.toLowerCase()));
  const servers: McpDefinition[] = [];
  const warnings: ImportWarning[] = [];
  for (const [name, value] of entries.slice(0, maxServers)) {
    const warn: Warn = (reason) => void warnings.push({ name: printable(name), reason });
    const definition = await definitionOf(name, value, warn);
    if (!definition) continue;
    const free = freeName(definition.name, (other) => taken.has(other.toLowerCase()));
    taken.add(free.toLowerCase());
    if (free !== name) warn(msg('mcp.importRenamed', { name: free }));
    servers.push({ ...definition, name: free });
  }
  const beyond = entries.slice(maxServers);
  if (beyond[0]) {
    const reason = msg('mcp.importBeyond', { others: beyond.length - 1, limit: maxServers });
    warnings.push({ name: printable(beyond[0][0]), reason });
  }
  return { servers, warnings };
}

async function definitionOf(
  written: string,
  value: unknown,
  warn: Warn,
): Promise<McpDefinition | null> {
  const { server, isOff } = switched(value);
  const read = mcpServerDefinition(safeName(written), server);
  if ('problem' in read) {
    warn(read.problem);
    return null;
  }
  const definition = checked(await divided(withDefaults(read, warn), warn), warn);
  if (!definition) return null;
  if (isOff) warn(msg('mcp.importDisabled'));
  for (const reason of lostKeys(server)) warn(reason);
  if (needsRedirect(definition)) warn(msg('mcp.importNeedsRedirect'));
  return isOff ? { ...definition, enabled: false } : definition;
}

/** True if an imported client needs exactly its registered redirect address. */
const needsRedirect = ({ oauth }: McpDefinition): boolean =>
  oauth?.clientId !== undefined && oauth.redirectUri === undefined;

/** Converts a definition to the host's form, in which the command is a program alone. */
async function divided(server: McpServerDefinition, warn: Warn): Promise<unknown> {
  const { timeoutSeconds, command, args = [], ...rest } = server;
  const timeout = timeoutSeconds === undefined ? {} : { callTimeoutSeconds: timeoutSeconds };
  if (command === undefined) return { ...rest, ...timeout };
  const { wasSplit, ...program } = await programAndArguments(command, args, rest.cwd);
  if (wasSplit) warn(msg('mcp.importAsOneText', { program: printable(program.command) }));
  return { ...rest, ...program, ...timeout };
}

/** A disabled server is imported as disabled. */
function switched(value: unknown): { server: unknown; isOff: boolean } {
  if (!isObject(value)) return { server: value, isOff: false };
  const { disabled, enabled, ...server } = value;
  return { server, isOff: disabled === true || enabled === false };
}

function checked(value: unknown, warn: Warn): McpDefinition | null {
  const parsed = McpDefinition.safeParse(value);
  if (!parsed.success) {
    if (isOfClient(parsed.error)) return checked(withoutClient(value, parsed.error, warn), warn);
    warn(msg('mcp.importUnusable', { reason: issueText(parsed.error, value) }));
    return null;
  }
  try {
    checkDefinition(parsed.data);
    return parsed.data;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    warn(error.text);
    return null;
  }
}

/** True if only the OAuth client is invalid; the server may work with one of the host. */
const isOfClient = ({ issues }: z.ZodError): boolean =>
  issues.every(({ path }) => path[0] === 'oauth');

function withoutClient(value: unknown, error: z.ZodError, warn: Warn): unknown {
  const { oauth: _, ...rest } = value as Record<string, unknown>;
  warn(msg('mcp.importClientNotTaken', { reason: issueText(error, value) }));
  return rest;
}

/** Returns the first problem and its position. */
function issueText({ issues }: z.ZodError, value: unknown): Message {
  const [first] = issueMessages(issues, value);
  const { path = '', message: problem = msg('field.notValid') } = first ?? {};
  return path === '' ? problem : msg('tools.fieldProblem', { field: printable(path), problem });
}
