import { randomUUID } from 'node:crypto';
import type { LostSecret, McpDefinition, McpReplacement } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { isLost, openSecret } from '../../../platform/stored-secret.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import type { SignIn, SignInStore } from '../oauth/sign-in.ts';
import { checkOAuth, isSameClient, mergedOAuth } from './oauth-client.ts';
import type { McpServer } from './server.ts';
import { addressKeyOf, addressOf } from './server-address.ts';
import { msg } from '../../../messages/index.ts';

/** Stores the servers; their credentials are encrypted. */
export interface ServerStore {
  load(): Promise<unknown>;
  save(value: unknown): Promise<void>;
}

interface Stored {
  id: string;
  definition: Omit<McpDefinition, 'env' | 'headers'>;
  /** Encrypted JSON of `env`, `headers` and the client secret. */
  secret: string;
  /** Encrypted JSON of the sign-in, if there is one. */
  signIn?: string;
  /** Id of the host of a cluster that starts it; servers with an address belong to all. */
  host?: string;
}

interface Credentials {
  env: Record<string, string>;
  headers: Record<string, string>;
  clientSecret?: string;
}

/** A definition with its credentials. */
type Clear = Omit<McpDefinition, 'env' | 'headers'> & Pick<Credentials, 'env' | 'headers'>;

const maxServers = 200;

/** The servers of the user, in memory and in the database. Changes are sequential. */
export class UserServerStore implements SignInStore {
  private readonly store: ServerStore;
  private readonly secrets: Secrets;
  private readonly hostId: string | null;
  private stored: Stored[] = [];
  private changing: Promise<unknown> = Promise.resolve();

  private constructor(store: ServerStore, secrets: Secrets, hostId: string | null) {
    this.store = store;
    this.secrets = secrets;
    this.hostId = hostId;
  }

  /**
   * `hostId`: the id of this host in its cluster; null for a single host, which has all servers.
   */
  static async open(
    store: ServerStore,
    secrets: Secrets,
    hostId: string | null,
  ): Promise<UserServerStore> {
    const opened = new UserServerStore(store, secrets, hostId);
    await opened.load();
    // Servers from before there was a cluster.
    if (hostId !== null && opened.stored.some(isUnclaimed))
      await opened.keep(opened.stored.map((one) => opened.claimed(one)));
    return opened;
  }

  /** The servers that this host connects to. */
  all(): McpServer[] {
    return this.stored.filter((one) => this.isHere(one)).map((one) => this.opened(one));
  }

  /** Loads changes that another host has stored. */
  reload(): Promise<void> {
    return this.alone(() => Promise.resolve());
  }

  private async load(): Promise<void> {
    const value = await this.store.load();
    this.stored = Array.isArray(value) ? (value as Stored[]) : [];
  }

  private isHere({ definition, host }: Stored): boolean {
    return this.hostId === null || definition.transport !== 'STDIO' || host === this.hostId;
  }

  private claimed(one: Stored): Stored {
    return this.hostId !== null && isUnclaimed(one) ? { ...one, host: this.hostId } : one;
  }

  /** Credentials that must be entered again, because they cannot be decrypted. */
  lostSecrets(): LostSecret[] {
    const isUnreadable = (text: string): boolean => isLost(openSecret(this.secrets, text));
    return this.stored
      .filter((one) => this.isHere(one))
      .filter(({ secret, signIn = '' }) => isUnreadable(secret) || isUnreadable(signIn))
      .map(({ definition }) => ({ kind: 'mcp_server', name: definition.name }));
  }

  /** Adds a server. @throws HostError `invalid_server`, `name_taken`, `too_many_servers` */
  add(definition: McpDefinition): Promise<McpServer> {
    return this.alone(async () => {
      checkDefinition(definition);
      checkName(definition, this.stored);
      if (this.stored.length >= maxServers) throw tooMany();
      const { env = {}, headers = {}, ...rest } = definition;
      const one = this.claimed(this.sealed(randomUUID(), { ...rest, env, headers }));
      await this.keep([...this.stored, one]);
      return this.opened(one);
    });
  }

  /** Replaces a server. @throws HostError `unknown_server`, `invalid_server`, `name_taken` */
  replace(id: string, replacement: McpReplacement): Promise<McpServer> {
    return this.alone(async () => {
      checkEndpoint(replacement);
      const { env, headers, oauth: oauthReplacement, ...rest } = replacement;
      const old = this.stored.find((one) => one.id === id);
      if (!old) throw unknownServer();
      checkName(
        replacement,
        this.stored.filter((one) => one !== old),
      );
      const before = this.opened(old);
      const oauth = mergedOAuth(before.oauth, oauthReplacement);
      checkOAuth(oauth);
      const next = this.sealed(id, {
        ...rest,
        ...(oauth === undefined ? {} : { oauth }),
        env: merged(before.env, env),
        headers: merged(before.headers, headers),
      });
      const isSameAddress = addressKeyOf(old.definition) === addressKeyOf(next.definition);
      const isSame = isSameAddress && isSameClient(before.oauth, oauth);
      const stays = isSame && old.signIn !== undefined ? { signIn: old.signIn } : {};
      const updated = this.claimed({ ...next, ...stays });
      await this.keep(this.stored.map((one) => (one === old ? updated : one)));
      return this.opened(updated);
    });
  }

  signInOf(id: string): SignIn | null {
    const { signIn = '' } = this.stored.find((one) => one.id === id) ?? {};
    const { text } = openSecret(this.secrets, signIn);
    return text === '' ? null : (JSON.parse(text) as SignIn);
  }

  saveSignIn(id: string, signIn: SignIn): Promise<boolean> {
    return this.alone(async () => {
      const old = this.stored.find((one) => one.id === id);
      if (!old || addressKeyOf(old.definition) !== signIn.address) return false;
      const updated = { ...old, signIn: this.secrets.encrypt('secret', JSON.stringify(signIn)) };
      const next = this.stored.map((one) => (one === old ? updated : one));
      await this.keep(next);
      return true;
    });
  }

  remove(id: string): Promise<void> {
    return this.alone(async () => {
      const remaining = this.stored.filter((one) => one.id !== id);
      await this.keep(remaining);
    });
  }

  private async keep(next: Stored[]): Promise<void> {
    await this.store.save(next);
    this.stored = next;
  }

  private sealed(id: string, { env, headers, oauth, ...rest }: Clear): Stored {
    const { clientSecret, ...client } = oauth ?? {};
    const definition = { ...rest, ...(oauth === undefined ? {} : { oauth: client }) };
    const credentials: Credentials = { env, headers, ...(clientSecret ? { clientSecret } : {}) };
    const isEmpty =
      [env, headers].every((map) => Object.keys(map).length === 0) && clientSecret === undefined;
    const text = JSON.stringify(credentials);
    return { id, definition, secret: isEmpty ? '' : this.secrets.encrypt('secret', text) };
  }

  private opened({ id, definition, secret }: Stored): McpServer {
    const { text } = openSecret(this.secrets, secret);
    const { env, headers, clientSecret } = text === '' ? none : credentialsOf(text);
    const { oauth, ...rest } = definition;
    const client = clientSecret === undefined ? oauth : { ...oauth, clientSecret };
    const own = client === undefined ? {} : { oauth: client };
    return { ...rest, ...own, id, env, headers, builtIn: false };
  }

  /** Runs on the stored state, because another host may have changed it. */
  private alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.changing.then(() => this.load()).then(work);
    this.changing = result.catch(() => undefined);
    return result;
  }
}

const isUnclaimed = ({ definition, host }: Stored): boolean =>
  definition.transport === 'STDIO' && host === undefined;

const credentialsOf = (text: string): Credentials => JSON.parse(text) as Credentials;

const none: Credentials = { env: {}, headers: {} };

/** Null removes a value; undefined keeps all of them. */
function merged(
  existing: Record<string, string>,
  replacement: Record<string, string | null> | undefined,
): Record<string, string> {
  if (replacement === undefined) return existing;
  const entries = Object.entries(replacement).flatMap(([name, value]): [string, string][] => {
    const text = value ?? existing[name];
    return text === undefined ? [] : [[name, text]];
  });
  return Object.fromEntries(entries);
}

/** @throws HostError 400 `invalid_server` */
export function checkDefinition(definition: McpDefinition): void {
  checkEndpoint(definition);
  checkOAuth(definition.oauth);
}

function checkEndpoint(definition: McpDefinition | McpReplacement): void {
  const { transport, command = '' } = definition;
  if (transport === 'STDIO') {
    if (command.trim() !== '') return;
    throw new HostError('invalid', 'invalid_server', msg('mcp.needsCommand'));
  }
  addressOf({ ...definition, transport });
}

/** Checked again within each change, since two may happen at the same time. */
function checkName({ name }: { name: string }, others: readonly Stored[]): void {
  const isTaken = others.some(
    ({ definition }) => definition.name.toLowerCase() === name.toLowerCase(),
  );
  if (isTaken) throw nameTaken(name);
}

export const nameTaken = (name: string): HostError =>
  new HostError('conflict', 'name_taken', msg('mcp.nameTaken', { name }));

export const unknownServer = (): HostError =>
  new HostError('missing', 'unknown_server', msg('mcp.unknownServer'));

const tooMany = (): HostError =>
  new HostError('conflict', 'too_many_servers', msg('mcp.tooManyServers', { limit: maxServers }));
