import { z } from 'zod';
import { Effect } from './manifest.ts';
import { HostMessage } from './host-message.ts';

export const McpTransport = z.enum(['STDIO', 'SSE', 'STREAMABLE_HTTP']);
export type McpTransport = z.output<typeof McpTransport>;

/**
 * `CONNECTED`: the server has listed its tools. `DEGRADED`: the connection was lost and is being
 * restored.
 */
export const McpState = z.enum([
  'CONNECTING',
  'CONNECTED',
  'DEGRADED',
  'NEEDS_AUTH',
  'FAILED',
  'DISABLED',
]);
export type McpState = z.output<typeof McpState>;

/** Tools are called `mcp__<name>__<tool>`, so a name must not contain `__` or end with `_`. */
export const McpServerName = z
  .string()
  .max(32)
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9-]|_(?=[A-Za-z0-9-]))*$/, 'field.serverName');

const noNul = (text: string): boolean => !text.includes('\0');
const Text = z.string().max(32_768).refine(noNul, 'field.noNul');
const VariableName = Text.regex(/^[^=]+$/, 'field.variableName');
const HeaderName = z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,200}$/, 'field.headerName');
const HeaderValue = Text.regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'field.headerValue');

const fields = {
  name: McpServerName,
  transport: McpTransport,
  enabled: z.boolean().default(true),
  /** A program on the PATH or its path; only with `STDIO`. It is not run by a shell. */
  command: Text.optional(),
  args: z.array(Text).max(1_000).optional(),
  /** Default: a folder of the host. */
  cwd: Text.optional(),
  /** Complete address, or that of the host if `endpoint` is set. */
  url: Text.optional(),
  endpoint: Text.optional(),
  callTimeoutSeconds: z.number().positive().max(3_600).default(60),
  /** True if the tool annotations of the server determine the effects of its tools. */
  trustAnnotations: z.boolean().default(true),
};

const ClientText = z.string().regex(/^[\x20-\x7e]{1,2000}$/, 'field.printableAscii');
const Scope = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,500}$/, 'field.scope');
const loopback = 'field.loopbackAddress';
const RedirectUri = z
  .url(loopback)
  .max(2_000)
  .regex(/^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::[1-9]\d*)?(?:\/[^\s?#\\]*)?$/, loopback);
const DocumentUrl = z
  .string()
  .max(2_000)
  .regex(/^https:\/\/[^\s/@]+\/[^\s#]+$/, 'field.httpsWithPath');

const oauthFields = {
  /** For a client that is registered at the authorization server. */
  clientId: ClientText.optional(),
  /** Requested instead of the scopes that the server asks for. */
  scopes: z.array(Scope).max(100).optional(),
  /** Port of the redirect after signing in. Default: any free port. */
  callbackPort: z.int().min(1).max(65_535).optional(),
  /** The registered URI, if it is not `http://127.0.0.1:<port>/callback`. */
  redirectUri: RedirectUri.optional(),
  /** Client id if no client is set and the authorization server supports such documents. */
  clientMetadataUrl: DocumentUrl.optional(),
};

/** The client for signing in; without one, the host registers itself. */
const McpOAuth = z.strictObject({ ...oauthFields, clientSecret: ClientText.optional() });
export type McpOAuth = z.output<typeof McpOAuth>;

/** Null or a missing secret keeps the stored secret of the same client. */
const McpOAuthReplacement = z.strictObject({
  ...oauthFields,
  clientSecret: z.union([ClientText, z.literal('')]).nullish(),
});
export type McpOAuthReplacement = z.output<typeof McpOAuthReplacement>;

export const McpDefinition = z.strictObject({
  ...fields,
  oauth: McpOAuth.optional(),
  env: z.record(VariableName, Text).optional(),
  headers: z.record(HeaderName, HeaderValue).optional(),
});
export type McpDefinition = z.output<typeof McpDefinition>;

/**
 * Without `env`, `headers` or `oauth`, the stored ones are kept; null inside them keeps that value.
 * Null instead of `oauth` removes it.
 */
export const McpReplacement = z.strictObject({
  ...fields,
  oauth: McpOAuthReplacement.nullish(),
  env: z.record(VariableName, Text.nullable()).optional(),
  headers: z.record(HeaderName, HeaderValue.nullable()).optional(),
});
export type McpReplacement = z.output<typeof McpReplacement>;

export const McpServerView = z.object({
  id: z.string(),
  name: z.string(),
  transport: McpTransport,
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  cwd: z.string().optional(),
  url: z.string().optional(),
  endpoint: z.string().optional(),
  /** Names only; values are never returned. */
  envKeys: z.array(z.string()),
  headerNames: z.array(z.string()),
  oauth: z.object({ ...oauthFields, hasClientSecret: z.boolean() }).optional(),
  callTimeoutSeconds: z.number(),
  trustAnnotations: z.boolean(),
  enabled: z.boolean(),
  /** Defined by the file named at launch or by a plugin; cannot be changed here. */
  builtIn: z.boolean(),
  pluginId: z.string().optional(),
  state: McpState,
  /** Reason why it is not connected, or which parts are omitted. */
  error: z.string().optional(),
  errorMessage: HostMessage.optional(),
  /** With the names that the server uses. */
  tools: z.array(z.object({ name: z.string(), description: z.string(), effect: Effect })),
  serverInfo: z.object({ name: z.string(), version: z.string() }).optional(),
  protocolVersion: z.string().optional(),
  lastConnectedAt: z.string().optional(),
});
export type McpServerView = z.output<typeof McpServerView>;

/** A tool with its input schema; its texts are those of the server. */
export const McpTool = z.object({
  /** The name that the server uses. */
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  effect: Effect,
  inputSchema: z.record(z.string(), z.unknown()),
});
export type McpTool = z.output<typeof McpTool>;
