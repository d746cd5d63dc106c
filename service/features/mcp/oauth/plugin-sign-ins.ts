import { openSecret } from '../../../platform/stored-secret.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import type { ServerStore } from '../definitions/user-server-store.ts';
import type { SignIn, SignInStore } from './sign-in.ts';

/** Encrypted sign-ins by server id. */
type Stored = Record<string, string>;

/** Stores sign-ins at servers of plugins, whose definitions are not stored by the host. */
export class PluginSignIns implements SignInStore {
  private readonly store: ServerStore;
  private readonly secrets: Secrets;
  private stored: Stored;
  private changing: Promise<unknown> = Promise.resolve();

  private constructor(store: ServerStore, secrets: Secrets, stored: Stored) {
    this.store = store;
    this.secrets = secrets;
    this.stored = stored;
  }

  static async open(store: ServerStore, secrets: Secrets): Promise<PluginSignIns> {
    const value = await store.load();
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
    return new PluginSignIns(store, secrets, isMap ? (value as Stored) : {});
  }

  signInOf(id: string): SignIn | null {
    const { text } = openSecret(this.secrets, this.stored[id] ?? '');
    return text === '' ? null : (JSON.parse(text) as SignIn);
  }

  async saveSignIn(id: string, signIn: SignIn): Promise<boolean> {
    const sealed = this.secrets.encrypt('secret', JSON.stringify(signIn));
    await this.change(() => ({ ...this.stored, [id]: sealed }));
    return true;
  }

  /** Removes the sign-ins of servers whose ids begin with `idStart`. */
  async forget(idStart: string): Promise<void> {
    if (!Object.keys(this.stored).some((id) => id.startsWith(idStart))) return;
    await this.change(() =>
      Object.fromEntries(Object.entries(this.stored).filter(([id]) => !id.startsWith(idStart))),
    );
  }

  private change(made: () => Stored): Promise<void> {
    const result = this.changing.then(async () => {
      const next = made();
      await this.store.save(next);
      this.stored = next;
    });
    this.changing = result.catch(() => undefined);
    return result;
  }
}
