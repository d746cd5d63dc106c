import type {
  McpDefinition,
  McpReplacement,
  McpServerView,
  McpTransport,
} from '../../../service/contract/index.ts';

/** A name with a value that is never shown again; `kept` means that the stored value stays. */
export interface Credential {
  key: number;
  name: string;
  value: string;
  stored: boolean;
}

/** A server while it is edited in the form. */
export interface ServerDraft {
  name: string;
  transport: McpTransport;
  command: string;
  /** One argument per line. */
  args: string;
  cwd: string;
  url: string;
  endpoint: string;
  env: Credential[];
  headers: Credential[];
  clientId: string;
  clientSecret: string;
  scopes: string;
  callbackPort: number | '';
  callTimeoutSeconds: number;
  trustAnnotations: boolean;
  enabled: boolean;
}

const storedCredentials = (names: readonly string[]): Credential[] =>
  names.map((name, key) => ({ key, name, value: '', stored: true }));

const nothing: ServerDraft = {
  name: '',
  transport: 'STDIO',
  command: '',
  args: '',
  cwd: '',
  url: '',
  endpoint: '',
  env: [],
  headers: [],
  clientId: '',
  clientSecret: '',
  scopes: '',
  callbackPort: '',
  callTimeoutSeconds: 60,
  trustAnnotations: true,
  enabled: true,
};

const orEmpty = (text: string | undefined): string => text ?? '';

/** Returns the form values of an existing server, or of a new one. */
export function draftOf(server: McpServerView | null): ServerDraft {
  if (server === null) return nothing;
  const { name, transport, callTimeoutSeconds, trustAnnotations, enabled, oauth } = server;
  return {
    name,
    transport,
    callTimeoutSeconds,
    trustAnnotations,
    enabled,
    command: orEmpty(server.command),
    args: argsText(server.args ?? []),
    cwd: orEmpty(server.cwd),
    url: orEmpty(server.url),
    endpoint: orEmpty(server.endpoint),
    env: storedCredentials(server.envKeys),
    headers: storedCredentials(server.headerNames),
    clientId: orEmpty(oauth?.clientId),
    clientSecret: '',
    scopes: (oauth?.scopes ?? []).join(' '),
    callbackPort: oauth?.callbackPort ?? '',
  };
}

/**
 * Returns one argument per line; an argument that does not fit on a line is written as a JSON
 * string.
 */
export const argsText = (args: readonly string[]): string =>
  args.map((arg) => (/^$|^"|[\r\n]/.test(arg) ? JSON.stringify(arg) : arg)).join('\n');

export function argsOf(text: string): string[] {
  const lines = text.split(/\r?\n/).filter((line) => line !== '');
  return lines.map((line) => {
    if (!line.startsWith('"')) return line;
    try {
      return JSON.parse(line) as string;
    } catch {
      return line;
    }
  });
}

/** Returns the definition for a new server. */
export function definitionOf(draft: ServerDraft): McpDefinition {
  const { env, headers } = valuesOf(draft);
  const { oauth } = oauthOf(draft, null);
  return {
    ...plainOf(draft),
    ...(env === undefined ? {} : { env: withoutNulls(env) }),
    ...(headers === undefined ? {} : { headers: withoutNulls(headers) }),
    ...(oauth ? { oauth: { ...oauth, clientSecret: oauth.clientSecret ?? undefined } } : {}),
  };
}

/** Returns the definition that replaces a server; unchanged secrets stay stored. */
export const replacementOf = (
  server: McpServerView,
  draft: ServerDraft = draftOf(server),
): McpReplacement => ({ ...plainOf(draft), ...valuesOf(draft), ...oauthOf(draft, server) });

function plainOf(draft: ServerDraft) {
  const { name, transport, callTimeoutSeconds, trustAnnotations, enabled } = draft;
  const rest = { name: name.trim(), transport, callTimeoutSeconds, trustAnnotations, enabled };
  if (transport === 'STDIO') {
    const args = argsOf(draft.args);
    return {
      ...rest,
      command: draft.command.trim(),
      ...(args.length === 0 ? {} : { args }),
      ...(draft.cwd.trim() === '' ? {} : { cwd: draft.cwd.trim() }),
    };
  }
  return {
    ...rest,
    url: draft.url.trim(),
    ...(draft.endpoint.trim() === '' ? {} : { endpoint: draft.endpoint.trim() }),
  };
}

type Values = Record<string, string | null>;

const recordOf = (credentials: Credential[]): Values =>
  Object.fromEntries(
    credentials
      .filter(({ name }) => name.trim() !== '')
      .map(({ name, value, stored }) => [name.trim(), stored ? null : value]),
  );

const withoutNulls = (values: Values): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? '']));

function valuesOf({ transport, env, headers }: ServerDraft): { env?: Values; headers?: Values } {
  return transport === 'STDIO' ? { env: recordOf(env) } : { headers: recordOf(headers) };
}

/** Returns an empty object if nothing was changed, which leaves the stored values in place. */
function oauthOf(draft: ServerDraft, server: McpServerView | null): Pick<McpReplacement, 'oauth'> {
  if (draft.transport === 'STDIO') return {};
  const before = draftOf(server);
  const keys = ['clientId', 'clientSecret', 'scopes', 'callbackPort'] as const;
  if (keys.every((key) => draft[key] === before[key])) return {};
  const { redirectUri, clientMetadataUrl } = server?.oauth ?? {};
  const scopes = draft.scopes.split(/\s+/).filter((scope) => scope !== '');
  const oauth = {
    ...(redirectUri === undefined ? {} : { redirectUri }),
    ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
    ...(draft.clientId === '' ? {} : { clientId: draft.clientId }),
    ...(draft.clientSecret === '' ? {} : { clientSecret: draft.clientSecret }),
    ...(scopes.length === 0 ? {} : { scopes }),
    ...(draft.callbackPort === '' ? {} : { callbackPort: draft.callbackPort }),
  };
  return { oauth: Object.keys(oauth).length === 0 ? null : oauth };
}

/** Returns a name that occurs twice, since one of its values would be lost. */
export function duplicateName(
  credentials: readonly Credential[],
  ignoreCase: boolean,
): string | null {
  const seen = new Set<string>();
  for (const { name } of credentials) {
    const one = ignoreCase ? name.trim().toLowerCase() : name.trim();
    if (one !== '' && seen.has(one)) return name.trim();
    seen.add(one);
  }
  return null;
}
