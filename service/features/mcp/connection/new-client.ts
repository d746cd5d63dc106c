import type { Client, JsonSchemaValidatorResult, Transport } from '@modelcontextprotocol/client';
import { hostVersion } from '../../../contract/index.ts';
import { StdioTransport } from './stdio-transport.ts';

/** Callbacks for notifications of a server. */
export interface ClientListener {
  onToolsChanged: () => void;
  onLog: (level: string, message: string) => void;
}

/** Some old programs ignore unknown methods and never answer. */
const probeLimitMs = 3_000;
/** Remote servers answer, but some have to be woken up first. */
const remoteProbeLimitMs = 20_000;

/** Creates the SDK's client with the capabilities of this host; it is not connected yet. */
export async function newClient(
  transport: Transport,
  listener: ClientListener,
  offersSampling: boolean,
): Promise<Client> {
  const { Client: SdkClient } = await import('@modelcontextprotocol/client');
  const timeoutMs = transport instanceof StdioTransport ? probeLimitMs : remoteProbeLimitMs;
  const client = new SdkClient(
    { name: 'plugin-host', version: hostVersion },
    {
      // Fields that a user leaves empty get the server's defaults.
      capabilities: {
        elicitation: { form: { applyDefaults: true } },
        ...(offersSampling ? { sampling: {} } : {}),
      },
      versionNegotiation: { mode: 'auto', probe: { timeoutMs } },
      // Untrusted schemas are not compiled; results are shown unvalidated.
      jsonSchemaValidator: { getValidator: () => acceptAll },
      listChanged: {
        tools: { autoRefresh: false, onChanged: () => listener.onToolsChanged() },
      },
    },
  );
  client.setNotificationHandler('notifications/message', ({ params }) =>
    listener.onLog(params.level, textOf(params.data)),
  );
  client.onerror = () => undefined;
  return client;
}

const acceptAll = <T>(input: unknown): JsonSchemaValidatorResult<T> => ({
  valid: true,
  errorMessage: undefined,
  data: input as T,
});

const textOf = (data: unknown): string => (typeof data === 'string' ? data : JSON.stringify(data));
