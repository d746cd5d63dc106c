import { addressKeyOf } from '../definitions/server-address.ts';
import type { McpServer } from '../definitions/server.ts';
import type { SignIn, SignInStore } from './sign-in.ts';

/** The stores of sign-ins by origin of the servers. */
export interface SignInStores {
  /** For servers that the user added. */
  own: SignInStore;
  /** For servers of plugins. */
  ofPlugins: SignInStore;
}

/** The sign-ins of all servers. */
export class SignInRepository {
  private readonly stores: SignInStores;

  constructor(stores: SignInStores) {
    this.stores = stores;
  }

  /** Null if there is none for the server's present address. */
  of(server: McpServer): SignIn | null {
    const signIn = this.storeOf(server).signInOf(server.id);
    return signIn && signIn.address === addressKeyOf(server) ? signIn : null;
  }

  /** False if the server was removed, or has another address now. */
  keep(server: McpServer, signIn: SignIn): Promise<boolean> {
    return this.storeOf(server).saveSignIn(server.id, signIn);
  }

  private storeOf({ builtIn }: McpServer): SignInStore {
    return builtIn ? this.stores.ofPlugins : this.stores.own;
  }
}
