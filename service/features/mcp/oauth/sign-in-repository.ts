import { addressKeyOf } from '../definitions/server-address.ts';
import type { McpServer } from '../definitions/server.ts';
import type { SignIn, SignInStore } from './sign-in.ts';

export interface SignInStores {
  /** Of servers that the user added. */
  own: SignInStore;
  /** Of those that plugins bring. */
  ofPlugins: SignInStore;
}

/** The sign-ins of all servers. */
export class SignInRepository {
  private readonly stores: SignInStores;

  constructor(stores: SignInStores) {
    this.stores = stores;
  }

  /** That of another address does not count. */
  of(server: McpServer): SignIn | null {
    const signIn = this.storeOf(server).signInOf(server.id);
    return signIn && signIn.address === addressKeyOf(server) ? signIn : null;
  }

  /** False where the server is gone, or has another address by now. */
  keep(server: McpServer, signIn: SignIn): Promise<boolean> {
    return this.storeOf(server).saveSignIn(server.id, signIn);
  }

  private storeOf({ builtIn }: McpServer): SignInStore {
    return builtIn ? this.stores.ofPlugins : this.stores.own;
  }
}
