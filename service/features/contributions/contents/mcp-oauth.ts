import { isObject } from '../../../core/is-object.ts';

/** The OAuth client of a server as its author wrote it, unvalidated. */
export interface WrittenOAuth {
  clientId?: string;
  clientSecret?: string;
  scopes?: string[];
  redirectUri?: string;
  clientMetadataUrl?: string;
}

/**
 * Reads `oauth` as most authors write it, or `auth` as Cursor does; undefined if no client is
 * named.
 */
export function oauthOf({ oauth, auth }: Record<string, unknown>): WrittenOAuth | undefined {
  const written = isObject(oauth) ? oauth : isObject(auth) ? auth : {};
  const text = (...keys: string[]): string | undefined =>
    keys.map((key) => written[key]).find((value): value is string => isText(value));
  const found = {
    clientId: text('clientId', 'client_id', 'CLIENT_ID'),
    clientSecret: text('clientSecret', 'client_secret', 'CLIENT_SECRET'),
    scopes: scopesOf(written.scopes ?? written.scope),
    redirectUri: text('redirectUri', 'redirect_uri', 'callbackUrl') ?? registered(written),
    clientMetadataUrl: text('clientMetadataUrl', 'client_metadata_url'),
  };
  if (found.clientId === undefined && found.clientMetadataUrl === undefined) return undefined;
  const defined = Object.entries(found).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined);
}

/** The redirect address for a `callbackPort`, as the documentation of Claude Code defines it. */
const registered = ({ callbackPort }: Record<string, unknown>): string | undefined =>
  typeof callbackPort === 'number' ? `http://localhost:${callbackPort}/callback` : undefined;

/** A list, or one text separated by spaces. */
function scopesOf(value: unknown): string[] | undefined {
  const list = typeof value === 'string' ? value.split(/\s+/) : value;
  const scopes = Array.isArray(list) ? list.filter(isText) : [];
  return scopes.length === 0 ? undefined : scopes;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
