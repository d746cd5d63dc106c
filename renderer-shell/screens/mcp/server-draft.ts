import type {
  McpDefinition,
  McpReplacement,
  McpServerView,
  McpTransport,
} from '../../../service/contract/index.ts';

/** A name with a value that is never shown again; `kept`: the stored one stays. */
export interface Credential {
  key: number;
  name: string;
  value: string;
  stored: boolean;
}

/** A server as it stands in the form. */
export interface ServerDraft {
  name: string;
  transport: McpTransport;
  command: string;
  /** One argument a line. */
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

/** The form for a server that is there, or for a new one. */
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

/** One a line; an argument that could not stand so is written as a JSON string. */
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

/** What the service takes for a new server. */
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

/** What the service takes in place of a server; values that were not touched stay. */
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

/** Nothing where nothing was changed: all of the stored one stays then. */
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

/** A name that stands twice would lose one of its values. */
export function doubledName(
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
