import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';

/** What a person's sign-in at a server left: kept encrypted, shown to nobody. */
export interface SignIn {
  /** Transport and address of the server that it is for; of no use for any other. */
  address: string;
  /** Whoever gave the tokens is the only one that they are renewed at. */
  authorizationServer: string;
  resource?: string;
  client: StoredOAuthClientInformation;
  /** Null once they are no longer taken. */
  tokens: StoredOAuthTokens | null;
}

/** Where sign-ins lie. */
export interface SignInStore {
  signInOf(id: string): SignIn | null;
  /** False where the server is gone, or has another address by now. */
  saveSignIn(id: string, signIn: SignIn): Promise<boolean>;
}
