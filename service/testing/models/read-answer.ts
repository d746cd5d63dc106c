import type { AiMode } from '../../contract/index.ts';
import type { BackendConfig } from '../../features/models/backend-config.ts';
import { backendOf } from '../../features/models/backends.ts';
import type {
  ModelBackend,
  ModelEvent,
  ModelMessage,
  ModelRequest,
  ModelToolCall,
} from '../../features/models/model-backend.ts';
import type { ModelLimits } from '../../features/models/wire/model-limits.ts';
import { ModelWire } from '../../features/models/wire/model-wire.ts';

/** Short pauses between retries for tests. */
export const quickLimits: Partial<ModelLimits> = { backOffMs: 5 };

export const testKey = 'sk-test-0123456789-secret';

/** An answer as tests check it. */
export interface ReadAnswer {
  events: ModelEvent[];
  text: string;
  thinking: string;
  calls: ModelToolCall[];
  usage: Extract<ModelEvent, { type: 'usage' }> | undefined;
  end: Extract<ModelEvent, { type: 'end' }> | undefined;
  /** The error that ended it; null if none. */
  error: unknown;
}

export const userMessage = (text: string): ModelMessage => ({
  role: 'user',
  content: [{ type: 'text', text }],
});

/** Opens a new backend that has not probed its server. */
export function openBackend(
  backendOptions: Partial<BackendConfig> & { mode: AiMode; baseUrl: string },
  limits: Partial<ModelLimits> = {},
): ModelBackend & { close: () => Promise<void> } {
  const wire = new ModelWire({ ...quickLimits, ...limits });
  const config = {
    apiKey: testKey,
    model: 'test-model',
    contextWindowTokens: 8_192,
    ...backendOptions,
  };
  const backend = backendOf(config, wire);
  return { ...backend, close: () => wire.close() };
}

/** Reads an answer to its end, whether it succeeds or fails. */
export async function readAnswer(
  backend: ModelBackend,
  request: Partial<ModelRequest> | string,
  onEvent: (event: ModelEvent) => void = () => undefined,
): Promise<ReadAnswer> {
  const asked = typeof request === 'string' ? { messages: [userMessage(request)] } : request;
  const { signal } = new AbortController();
  const events: ModelEvent[] = [];
  let error: unknown;
  try {
    for await (const event of backend.stream({ messages: [], tools: [], signal, ...asked })) {
      events.push(event);
      onEvent(event);
    }
  } catch (thrown) {
    error = thrown;
  }
  const joined = (type: 'text' | 'thinking'): string =>
    events.map((event) => (event.type === type ? event.text : '')).join('');
  return {
    events,
    text: joined('text'),
    thinking: joined('thinking'),
    calls: events.flatMap((event) => (event.type === 'tool-call' ? [event] : [])),
    usage: events.findLast((event) => event.type === 'usage'),
    end: events.findLast((event) => event.type === 'end'),
    error,
  };
}

/** Returns the model's message for the next request. */
export function answered({ text, calls, end }: ReadAnswer): ModelMessage {
  const toolCalls = calls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args }));
  return {
    role: 'assistant',
    content: text === '' ? [] : [{ type: 'text', text }],
    toolCalls,
    native: end?.native,
  };
}
