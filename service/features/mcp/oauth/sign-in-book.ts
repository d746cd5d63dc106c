import { addressKeyOf } from '../definitions/server-address.ts';
import type { McpServer } from '../definitions/server.ts';
import type { SignIn, SignInStore } from './sign-in.ts';

/** The sign-ins of all servers; those of servers that the user did not add last until the host ends. */
export class SignInBook {
  private readonly kept: SignInStore;
  private readonly passing = new Map<string, SignIn>();

  constructor(kept: SignInStore) {
    this.kept = kept;
  }

  /** That of another address does not count. */
  of(server: McpServer): SignIn | null {
    const { id, builtIn } = server;
    const signIn = builtIn ? (this.passing.get(id) ?? null) : this.kept.signInOf(id);
    return signIn && signIn.address === addressKeyOf(server) ? signIn : null;
  }

  /** False where the server is gone, or has another address by now. */
  async keep({ id, builtIn }: McpServer, signIn: SignIn): Promise<boolean> {
    if (!builtIn) return this.kept.keepSignIn(id, signIn);
    this.passing.set(id, signIn);
    return true;
  }
}
