import type { Client } from '../../../service/client/index.ts';
import { ServiceError } from '../../../service/client/index.ts';
import type { Endpoint } from '../../../service/contract/index.ts';

/** Time limit of calls that set none themselves. */
const CALL_LIMIT_MS = 30_000;

/** Receives what the responses of a client reveal about the session. */
export interface Watch {
  /** Identifies the token that a call was made with. */
  token(): string | null;
  reached(): void;
  unreachable(): void;
  /** Reports a 401 for the token that is still the current one. */
  refused(): void;
  /** Reports that the service returned to SETUP. */
  setupRequired(): void;
}

/**
 * Returns the same client with a default time limit; reports to `watch` what responses reveal about
 * the session.
 */
export function guardedClient(client: Client, watch: Watch): Client {
  const judge = (endpoint: Endpoint, sentToken: string | null, error: unknown) => {
    if (!(error instanceof ServiceError)) return;
    const { status, code } = error.problem;
    if (code === 'unreachable') return watch.unreachable();
    if (code === 'setup_required') return watch.setupRequired();
    const ofToken = endpoint.access.kind !== 'ticket' && sentToken === watch.token();
    if (status === 401 && ofToken) watch.refused();
  };

  const watched = async <T>(endpoint: Endpoint, work: Promise<T>): Promise<T> => {
    const token = watch.token();
    try {
      const answer = await work;
      watch.reached();
      return answer;
    } catch (error) {
      judge(endpoint, token, error);
      throw error;
    }
  };
  const limited = (input: object | undefined) =>
    [{ signal: AbortSignal.timeout(CALL_LIMIT_MS), ...input }] as never;

  return {
    url: (endpoint, input) => client.url(endpoint, input),
    call: (endpoint, ...[input]) => watched(endpoint, client.call(endpoint, ...limited(input))),
    start: (endpoint, ...[input]) => watched(endpoint, client.start(endpoint, ...limited(input))),
    head: (endpoint, ...[input]) => watched(endpoint, client.head(endpoint, ...limited(input))),
    async open(endpoint, ...input) {
      const token = watch.token();
      try {
        return await client.open(endpoint, ...input);
      } catch (error) {
        judge(endpoint, token, error);
        throw error;
      }
    },
    async *stream(endpoint, ...input) {
      const token = watch.token();
      try {
        yield* client.stream(endpoint, ...input);
      } catch (error) {
        judge(endpoint, token, error);
        throw error;
      }
    },
  };
}
