import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { serveWeb, type WebServer } from '../web-server.ts';

interface Client {
  id: string;
  secret: string | null;
  redirectUris: string[];
}

interface Grant {
  clientId: string;
  scope: string;
  resource: string;
}

interface Code extends Grant {
  redirectUri: string;
  challenge: string;
}

/** Behaviour that tests can change. */
export interface Behaviour {
  /** Issuer that is sent with the code instead of its own. */
  iss: string | null;
  /** Overrides of its metadata; undefined removes a field. */
  metadata: Record<string, unknown>;
  /** Rejects all refresh tokens. */
  refusesRefresh: boolean;
  /** The token endpoint returns server errors. */
  isBroken: boolean;
  /** The person declines. */
  declines: boolean;
  /** Requires clients with a secret. */
  wantsSecret: boolean;
  /** Refuses client registration, although the endpoint exists. */
  refusesRegistration: boolean;
}

/**
 * A small authorization server for OAuth 2.1 with registration, PKCE and refresh token rotation.
 */
export class AuthorizationServer {
  readonly behaviour: Behaviour = {
    iss: null,
    metadata: {},
    refusesRefresh: false,
    isBroken: false,
    declines: false,
    wantsSecret: false,
    refusesRegistration: false,
  };
  /** Every secret that it issued. */
  readonly secrets: string[] = [];
  /** Method and path of each request, with the grant type of a token request. */
  readonly asked: string[] = [];
  /** Headers of every request. */
  readonly headers: IncomingMessage['headers'][] = [];
  /** Bodies of the token requests. */
  readonly tokenRequests: URLSearchParams[] = [];
  readonly clients = new Map<string, Client>();
  /** Client metadata documents by address; null if they are not supported. */
  documents: Map<string, { redirectUris: string[] }> | null = null;
  private readonly codes = new Map<string, Code>();
  private readonly access = new Map<string, Grant>();
  private readonly refresh = new Map<string, Grant>();
  private web: WebServer | null = null;

  static async start(): Promise<AuthorizationServer> {
    const server = new AuthorizationServer();
    server.web = await serveWeb((req, res) => void server.answer(req, res));
    return server;
  }

  get base(): string {
    return this.web?.base ?? '';
  }

  /** Registers a client by hand. Tests search for its secret. */
  registerClient(redirectUris: string[], isPublic = false): { id: string; secret: string | null } {
    const secret = isPublic ? null : this.secret('client-secret');
    const client = { id: `known-${randomUUID()}`, secret, redirectUris };
    this.clients.set(client.id, client);
    return client;
  }

  /** Returns the grant of a token; null if it is invalid or expired. */
  grantOf(authorization: string | undefined): Grant | null {
    return this.access.get(authorization?.replace(/^Bearer /, '') ?? '') ?? null;
  }

  /** Expires the access tokens, but not the refresh tokens. */
  expire(): void {
    this.access.clear();
  }

  async close(): Promise<void> {
    await this.web?.close();
  }

  private async answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? '/', this.base);
    const body = await text(req);
    const form = new URLSearchParams(body);
    this.headers.push(req.headers);
    this.asked.push(`${req.method} ${url.pathname} ${form.get('grant_type') ?? ''}`.trim());
    if (url.pathname === '/.well-known/oauth-authorization-server')
      return json(res, 200, this.metadata());
    if (url.pathname === '/register') return this.register(res, body);
    if (url.pathname === '/authorize') return this.authorize(res, url.searchParams);
    if (url.pathname === '/token') return this.token(res, form, req.headers.authorization);
    json(res, 404, {});
  }

  private metadata(): Record<string, unknown> {
    const { base } = this;
    return {
      issuer: base,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      registration_endpoint: `${base}/register`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: this.authMethods(),
      authorization_response_iss_parameter_supported: true,
      ...(this.documents ? { client_id_metadata_document_supported: true } : {}),
      ...this.behaviour.metadata,
    };
  }

  private authMethods(): string[] {
    if (this.behaviour.wantsSecret) return ['client_secret_basic'];
    const hasSecrets = [...this.clients.values()].some(({ secret }) => secret !== null);
    return ['none', ...(hasSecrets ? ['client_secret_basic', 'client_secret_post'] : [])];
  }

  private register(res: ServerResponse, body: string): void {
    if (this.behaviour.refusesRegistration) return json(res, 403, { error: 'access_denied' });
    const asked = JSON.parse(body) as {
      redirect_uris: string[];
      token_endpoint_auth_method: string;
    };
    const isPublic = asked.token_endpoint_auth_method === 'none';
    if (isPublic === this.behaviour.wantsSecret || asked.redirect_uris.length === 0)
      return json(res, 400, { error: 'invalid_client_metadata' });
    const secret = isPublic ? null : this.secret('client-secret');
    const client = { id: randomUUID(), secret, redirectUris: asked.redirect_uris };
    this.clients.set(client.id, client);
    json(res, 201, {
      ...asked,
      client_id: client.id,
      ...(secret === null ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
    });
  }

  /** The person is signed in and agrees, so the browser is redirected at once. */
  private authorize(res: ServerResponse, asked: URLSearchParams): void {
    const param = (name: string): string => asked.get(name) ?? '';
    const client = this.clientBy(param('client_id'));
    const redirectUri = param('redirect_uri');
    const isRegistered = client?.redirectUris.some((uri) => isSameRedirect(uri, redirectUri));
    if (!client || isRegistered !== true) return json(res, 400, { error: 'invalid_redirect_uri' });
    const back = new URL(redirectUri);
    back.searchParams.set('state', param('state'));
    back.searchParams.set('iss', this.behaviour.iss ?? this.base);
    if (this.behaviour.declines) back.searchParams.set('error', 'access_denied');
    else if (param('code_challenge_method') !== 'S256' || param('response_type') !== 'code')
      back.searchParams.set('error', 'invalid_request');
    else {
      const code = this.secret('code');
      const challenge = param('code_challenge');
      const [scope, resource] = [param('scope'), param('resource')];
      this.codes.set(code, { clientId: client.id, redirectUri, challenge, scope, resource });
      back.searchParams.set('code', code);
    }
    res.writeHead(302, { Location: back.href }).end();
  }

  private token(res: ServerResponse, form: URLSearchParams, authorization?: string): void {
    this.tokenRequests.push(form);
    if (this.behaviour.isBroken) return json(res, 503, { error: 'temporarily_unavailable' });
    const client = this.clientOf(form, authorization);
    if (!client) return json(res, 401, { error: 'invalid_client' });
    const grant =
      form.get('grant_type') === 'refresh_token'
        ? this.grantOfRefresh(form.get('refresh_token') ?? '')
        : this.grantOfCode(form);
    if (grant?.clientId !== client.id) return json(res, 400, { error: 'invalid_grant' });
    const [access, refresh] = [this.secret('access'), this.secret('refresh')];
    this.access.set(access, grant);
    this.refresh.set(refresh, grant);
    json(res, 200, {
      access_token: access,
      refresh_token: refresh,
      token_type: 'Bearer',
      expires_in: 3600,
      scope: grant.scope,
    });
  }

  private clientOf(form: URLSearchParams, authorization?: string): Client | null {
    const basic = Buffer.from(authorization?.replace(/^Basic /, '') ?? '', 'base64').toString();
    const [basicId, basicSecret = null] = basic.split(':');
    const client = this.clientBy(form.get('client_id') ?? basicId ?? '');
    const secret = form.get('client_secret') ?? basicSecret;
    return client?.secret === secret ? client : null;
  }

  private clientBy(id: string): Client | null {
    const document = this.documents?.get(id);
    return document ? { id, secret: null, ...document } : (this.clients.get(id) ?? null);
  }

  private grantOfCode(form: URLSearchParams): Grant | null {
    const code = form.get('code') ?? '';
    const issued = this.codes.get(code);
    this.codes.delete(code);
    const verifier = form.get('code_verifier') ?? '';
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const isRight =
      issued?.challenge === challenge && issued.redirectUri === form.get('redirect_uri');
    return isRight ? issued : null;
  }

  /** A refresh token can be used once. */
  private grantOfRefresh(token: string): Grant | null {
    const grant = this.refresh.get(token);
    this.refresh.delete(token);
    return this.behaviour.refusesRefresh ? null : (grant ?? null);
  }

  private secret(kind: string): string {
    const secret = `${kind}-canary-${randomUUID()}`;
    this.secrets.push(secret);
    return secret;
  }
}

export function json(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

/** Compares exactly, except for the port of a loopback address that was registered without one. */
function isSameRedirect(registered: string, asked: string): boolean {
  const [, origin, path] = /^(http:\/\/(?:127\.0\.0\.1|localhost))(\/.*)?$/.exec(registered) ?? [];
  const withoutPort = asked.replace(/^(http:\/\/[\w.]+):\d+/, '$1');
  return asked === registered || (origin !== undefined && withoutPort === `${origin}${path ?? ''}`);
}
