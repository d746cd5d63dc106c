import { api, type ChatRequest } from '../contract/index.ts';
import { type ModelServer, startModelServer } from './model-server.ts';
import { startTestHost, type TestHost, type TestHostOptions } from './test-host.ts';

/** An event of a turn's stream. */
export interface ChatEvent {
  event: string;
  data: Record<string, unknown>;
}

/** A host whose model is a test server. */
export interface ChatHost extends TestHost {
  model: ModelServer;
  /** Starts a turn and reads it to its end; an `error` event is the last one. */
  sendMessage(request: ChatRequest | string): Promise<ChatEvent[]>;
  /** Starts a turn; `events` grows as they arrive. */
  startTurn(
    request: ChatRequest | string,
  ): Promise<{ streamId: string; events: ChatEvent[]; ended: Promise<void>; leave(): void }>;
}

const requestOf = (request: ChatRequest | string): ChatRequest =>
  typeof request === 'string' ? { messages: [{ role: 'user', content: request }] } : request;

/** Configures the host to use a test model server. */
export async function useModel({ client }: Pick<TestHost, 'client'>, baseUrl: string) {
  const cloud = { apiKey: 'test-key-of-the-model', model: 'test-model', baseUrl };
  await client.call(api.aiConfig.put, { body: { activeMode: 'cloud_c', cloud_c: cloud } });
}

/** Starts a host whose model is a test server. */
export async function startChatHost(options: TestHostOptions = {}): Promise<ChatHost> {
  const model = await startModelServer();
  const host = await startTestHost(options);
  await useModel(host, model.baseUrl);
  return {
    ...host,
    ...followTurns(host),
    model,
    async close() {
      await host.close();
      await model.close();
    },
  };
}

/** Stops the host and starts it again on the same data. */
export async function restarted(host: ChatHost): Promise<ChatHost> {
  await host.stop();
  const fresh = await startTestHost({ workDirectory: host.workDirectory });
  return {
    ...fresh,
    ...followTurns(fresh),
    model: host.model,
    async close() {
      await fresh.close();
      await host.model.close();
    },
  };
}

export function followTurns({
  client,
}: Pick<TestHost, 'client'>): Pick<ChatHost, 'startTurn' | 'sendMessage'> {
  const startTurn: ChatHost['startTurn'] = async (request) => {
    const { streamId } = await client.call(api.chat.start, { body: requestOf(request) });
    const leaving = new AbortController();
    const events: ChatEvent[] = [];
    const read = async (): Promise<void> => {
      const stream = client.stream(api.runStreams.chat, {
        query: { streamId },
        signal: leaving.signal,
      });
      try {
        for await (const event of stream) events.push(event);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (!leaving.signal.aborted) events.push({ event: 'error', data: { message } });
      }
    };
    return { streamId, events, ended: read(), leave: () => leaving.abort() };
  };
  return {
    startTurn,
    async sendMessage(request) {
      const { events, ended } = await startTurn(request);
      await ended;
      return events;
    },
  };
}

/** Joins the texts of all events of one kind. */
export const textOf = (events: readonly ChatEvent[], event = 'token'): string =>
  events.map((one) => (one.event === event ? String(one.data['text']) : '')).join('');

export const only = (events: readonly ChatEvent[], event: string): ChatEvent['data'][] =>
  events.filter((one) => one.event === event).map(({ data }) => data);
