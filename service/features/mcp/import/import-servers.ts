import type { McpServerView } from '../../../contract/index.ts';
import { McpDefinition } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { mcpServerDefinition, serversIn } from '../../contributions/index.ts';
import { checkDefinition } from '../definitions/kept-servers.ts';
import { programAndArguments } from './command-words.ts';
import { freeName, safeName } from './safe-name.ts';

export interface ImportWarning {
  name: string;
  reason: string;
}

interface Found {
  servers: McpDefinition[];
  warnings: ImportWarning[];
}

/** Whoever keeps the servers. */
interface Target {
  add(definition: McpDefinition): Promise<McpServerView>;
  all(): { server: { name: string } }[];
}

const maxImported = 100;

/**
 * Takes over the servers of a document as other programs write it, or only says what they would be.
 * What cannot be taken over is named in the warnings, and hides nothing of the others.
 * @throws HostError 400 `no_servers`
 */
export async function importServers(
  target: Target,
  document: unknown,
  isDryRun: boolean,
): Promise<Found | { created: McpServerView[]; warnings: ImportWarning[] }> {
  const { servers, warnings } = await readServers(document);
  const known = new Set(target.all().map(({ server }) => server.name.toLowerCase()));
  const fresh = servers.filter(({ name }) => {
    const isThere = known.has(name.toLowerCase());
    if (isThere) warnings.push({ name, reason: 'is there already, so it was left out' });
    return !isThere;
  });
  if (isDryRun) return { servers: fresh, warnings };
  const created = await Promise.all(
    fresh.map((definition) =>
      target.add(definition).catch((error: unknown) => {
        if (!(error instanceof HostError)) throw error;
        warnings.push({ name: definition.name, reason: error.message });
        return null;
      }),
    ),
  );
  return { created: created.filter((view) => view !== null), warnings };
}

/** @throws HostError 400 `no_servers` */
export async function readServers(document: unknown): Promise<Found> {
  const { servers: written, problem } = serversIn(document);
  const entries = Object.entries(written);
  if (entries.length === 0) throw noServers(problem);
  const servers: McpDefinition[] = [];
  const warnings: ImportWarning[] = [];
  for (const [name, value] of entries.slice(0, maxImported)) {
    const warn = (reason: string): void => void warnings.push({ name, reason });
    const definition = await definitionOf(name, value, warn);
    if (!definition) continue;
    const isTaken = (other: string): boolean =>
      servers.some((one) => one.name.toLowerCase() === other.toLowerCase());
    const free = freeName(definition.name, isTaken);
    if (free !== name) warn(`is called ${free} here`);
    servers.push({ ...definition, name: free });
  }
  for (const [name] of entries.slice(maxImported))
    warnings.push({ name, reason: `is beyond the ${maxImported} that are taken at a time` });
  return { servers, warnings };
}

async function definitionOf(
  written: string,
  value: unknown,
  warn: (reason: string) => void,
): Promise<McpDefinition | null> {
  const read = mcpServerDefinition(safeName(written), value);
  if ('problem' in read) {
    warn(read.problem);
    return null;
  }
  const { timeoutSeconds, command, args = [], ...rest } = read;
  const split = command === undefined ? null : await programAndArguments(command, args);
  if (split?.wasSplit) warn(`was written as one text: ${split.command} is taken as the program`);
  const parsed = McpDefinition.safeParse({
    ...rest,
    ...(split ? { command: split.command, args: split.args } : {}),
    ...(timeoutSeconds === undefined ? {} : { callTimeoutSeconds: timeoutSeconds }),
  });
  if (!parsed.success) {
    warn(parsed.error.issues[0]?.message ?? 'cannot be used');
    return null;
  }
  const variables = variablesOf(parsed.data);
  if (variables !== '') warn(`holds ${variables}, which is not replaced: enter its value`);
  return usable(parsed.data, warn);
}

function usable(definition: McpDefinition, warn: (reason: string) => void): McpDefinition | null {
  try {
    checkDefinition(definition);
    return definition;
  } catch (error) {
    warn((error as Error).message);
    return null;
  }
}

/** Other programs put values of the environment there. */
const variablesOf = (definition: McpDefinition): string =>
  [...new Set(JSON.stringify(definition).match(/\$\{[A-Za-z_]\w*(?::-[^}]*)?\}/g))].join(', ');

function noServers(problem: string | undefined): HostError {
  const why = problem === undefined ? '' : ` The document ${problem}.`;
  const message = `There are no MCP servers in it.${why} It should look like {"mcpServers": {"name": {"command": "…"}}}.`;
  return new HostError('invalid', 'no_servers', message);
}
