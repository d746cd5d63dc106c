import type { Client, JsonSchemaValidatorResult, Transport } from '@modelcontextprotocol/client';
import { hostVersion } from '../../../contract/index.ts';
import { StdioTransport } from './stdio-transport.ts';

export interface ClientListener {
  onToolsChanged: () => void;
  onLog: (level: string, message: string) => void;
}

/** Programs of before that ignore what they do not know say nothing at all. */
const probeLimitMs = 3_000;
/** Remote ones do say something, but some are woken up by it first. */
const remoteProbeLimitMs = 20_000;

/** The client of the SDK, with what this host offers to servers; not connected yet. */
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
      // What a person leaves out of a form has the value that the server proposes.
      capabilities: {
        elicitation: { form: { applyDefaults: true } },
        ...(offersSampling ? { sampling: {} } : {}),
      },
      versionNegotiation: { mode: 'auto', probe: { timeoutMs } },
      // Schemas of strangers are not compiled; what they answer is shown as it is.
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
