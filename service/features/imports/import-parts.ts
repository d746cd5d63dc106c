import { type ImportResult, NewPrompt, NewProvider } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import { type HostText, msg, wireText } from '../../messages/index.ts';
import type { FoundParts, ImportWarning } from './found-parts.ts';
import { withoutSecrets } from './secret-values.ts';

/** The places where imported parts are added. */
export interface ImportTargets {
  /** Adds MCP servers, or only previews them; see `/api/mcp/import`. */
  importServers(
    document: unknown,
    isDryRun: boolean,
  ): Promise<{
    servers?: ImportedServer[];
    created?: { name: string }[];
    warnings: { name: string; reason: string }[];
  }>;
  providers: {
    list(): readonly { name: string }[];
    add(provider: NewProvider): Promise<unknown>;
  };
  prompts: {
    list(): Promise<readonly { name: string }[]>;
    add(prompt: NewPrompt): Promise<unknown>;
  };
}

interface ImportedServer {
  name: string;
  transport: ImportResult['servers'][number]['transport'];
  command?: string | undefined;
  args?: string[] | undefined;
  url?: string | undefined;
  endpoint?: string | undefined;
}

/** Options of an import. */
export interface ImportOptions {
  isDryRun: boolean;
  withKeys: boolean;
}

/**
 * Imports the parts of a configuration, or only previews them. Parts that cannot be imported become
 * warnings and do not affect the others. Existing items are not changed.
 * @throws HostError 400 `nothing_to_import`
 */
export async function importParts(
  found: FoundParts,
  targets: ImportTargets,
  options: ImportOptions,
): Promise<ImportResult> {
  const { servers, providers, prompts } = found;
  const isEmpty = Object.keys(servers).length + providers.length + prompts.length === 0;
  if (isEmpty && found.warnings.length === 0)
    throw new HostError('invalid', 'nothing_to_import', msg('import.nothing'));
  const warnings = found.warnings.map(wireWarning);
  const warn = (name: string, reason: HostText) => warnings.push(wireWarning({ name, reason }));
  return {
    servers: await importServers(servers, targets, options, warnings),
    providers: await importProviders(providers, targets, options, warn),
    prompts: await importPrompts(prompts, targets, options, warn),
    warnings,
  };
}

const wireWarning = ({ name, reason }: ImportWarning): ImportResult['warnings'][number] => ({
  name,
  ...wireText('reason', reason),
});

/** The result shows servers without their keys, even if these are imported. */
async function importServers(
  servers: FoundParts['servers'],
  targets: ImportTargets,
  { isDryRun, withKeys }: ImportOptions,
  warnings: ImportResult['warnings'],
): Promise<ImportResult['servers']> {
  const plain = Object.entries(servers).map(([name, server]) => {
    const { server: rest, removed } = withoutSecrets(server);
    if (removed.length > 0 && !withKeys) {
      const reason = msg('import.keysRemoved', { names: removed.join(', ') });
      warnings.push(wireWarning({ name, reason }));
    }
    return [name, rest];
  });
  if (plain.length === 0) return [];
  const mcpServers = Object.fromEntries(plain) as Record<string, unknown>;
  const preview = await targets.importServers({ mcpServers }, true);
  warnings.push(...preview.warnings);
  const listed = (preview.servers ?? []).map(({ name, transport, ...server }) => ({
    name,
    transport,
    target: targetOf(server),
  }));
  if (isDryRun) return listed;
  const document = { mcpServers: withKeys ? servers : mcpServers };
  const { created = [] } = await targets.importServers(document, false);
  return listed.filter(({ name }) => created.some((one) => one.name === name));
}

const targetOf = ({ command, args = [], url = '', endpoint = '' }: Partial<ImportedServer>) =>
  command === undefined ? `${url}${endpoint}` : [command, ...args].join(' ');

type Warn = (name: string, reason: HostText) => void;

async function importProviders(
  found: readonly NewProvider[],
  { providers }: ImportTargets,
  { isDryRun, withKeys }: ImportOptions,
  warn: Warn,
): Promise<ImportResult['providers']> {
  const names = namesOf(providers.list());
  const imported: ImportResult['providers'] = [];
  for (const one of found) {
    const checked = NewProvider.safeParse(withKeys ? one : { ...one, apiKey: '' });
    if (!checked.success || names.has(one.name.toLowerCase())) {
      warn(one.name, checked.success ? msg('import.exists') : msg('import.invalid'));
      continue;
    }
    names.add(one.name.toLowerCase());
    const { name, protocol, baseUrl, models = [], apiKey } = checked.data;
    if (!isDryRun && !(await isAdded(() => providers.add(checked.data), name, warn))) continue;
    imported.push({ name, protocol, baseUrl, models, hasKey: apiKey !== '' });
  }
  return imported;
}

async function importPrompts(
  found: readonly NewPrompt[],
  { prompts }: ImportTargets,
  { isDryRun }: ImportOptions,
  warn: Warn,
): Promise<ImportResult['prompts']> {
  const names = namesOf(await prompts.list());
  const imported: ImportResult['prompts'] = [];
  for (const one of found) {
    const checked = NewPrompt.safeParse(one);
    if (!checked.success || names.has(one.name.toLowerCase())) {
      warn(one.name, checked.success ? msg('import.exists') : msg('import.invalid'));
      continue;
    }
    names.add(one.name.toLowerCase());
    if (!isDryRun && !(await isAdded(() => prompts.add(checked.data), one.name, warn))) continue;
    imported.push(checked.data);
  }
  return imported;
}

const namesOf = (existing: readonly { name: string }[]): Set<string> =>
  new Set(existing.map(({ name }) => name.toLowerCase()));

async function isAdded(add: () => Promise<unknown>, name: string, warn: Warn): Promise<boolean> {
  try {
    await add();
    return true;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    warn(name, error.text);
    return false;
  }
}
