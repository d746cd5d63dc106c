import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';

/** The result of a sign-in at a server; stored encrypted and never shown. */
export interface SignIn {
  /** Transport and address of its server; it is never used for another one. */
  address: string;
  /** The issuer of the tokens, and the only place where they are renewed. */
  authorizationServer: string;
  resource?: string;
  client: StoredOAuthClientInformation;
  /** Null once they are refused. */
  tokens: StoredOAuthTokens | null;
}

/** Stores sign-ins by server id. */
export interface SignInStore {
  signInOf(id: string): SignIn | null;
  /** False if the server was removed, or has another address now. */
  saveSignIn(id: string, signIn: SignIn): Promise<boolean>;
}
