import { HostError } from '../../core/host-error.ts';
import { type Message, msg, textOf } from '../../messages/index.ts';
import {
  countTokens,
  type ModelBackend,
  type ModelMessage,
  noTokens,
  tokensFor,
  type UsedTokens,
} from '../models/index.ts';
import {
  failure,
  jsonResult,
  objectOf,
  type Tool,
  type ToolCall,
  type ToolResult,
} from '../tools/index.ts';
import { readValue } from './read-value.ts';

/** The model backends that `ask_model` uses. */
export interface AskModelOptions {
  /** Returns the mode of the configured model; null: none is ready. */
  mode: () => ModelBackend['mode'] | null;
  /**
   * Returns the configured model, or another one of its server. @throws HostError 409
   * `model_not_ready`
   */
  backend: (model?: string) => ModelBackend;
  tokensUsed: (used: UsedTokens) => void;
}

const maxAnswerCharacters = 2 * 1024 * 1024;
/** Number of requests until the value matches the schema. */
const tries = 3;

const inputSchema = {
  type: 'object',
  properties: {
    prompt: { type: 'string', minLength: 1, description: 'What the model is asked.' },
    system: { type: 'string', description: 'How it is to answer, told before the prompt.' },
    schema: {
      type: 'object',
      description: 'A JSON Schema. The answer is then a value that fits it.',
    },
    model: {
      type: 'string',
      minLength: 1,
      maxLength: 300,
      description: 'Another model of the configured server.',
    },
  },
  required: ['prompt'],
  additionalProperties: false,
};

interface Question {
  prompt: string;
  system?: string;
  schema?: Record<string, unknown>;
  model?: string;
}

/**
 * Asks the configured model one question without tools. The answer is text, or a value that matches
 * a schema.
 */
export const askModel = (options: AskModelOptions): Tool => ({
  name: 'ask_model',
  description:
    'Asks a language model one question, without tools or memory. Answers {text}, or {value} that fits `schema`. Useful to summarize, classify, translate or extract.',
  inputSchema,
  resultSchema: objectOf({ text: 'string', value: {} }),
  effect: options.mode() === 'local' ? 'read' : 'external',
  run: (call) => answer(options, call),
});

async function answer(options: AskModelOptions, call: ToolCall): Promise<ToolResult> {
  const { prompt, system, schema, model } = call.arguments as unknown as Question;
  const backend = options.backend(model);
  const messages: ModelMessage[] = [messageOf('user', prompt)];
  if (schema === undefined)
    return jsonResult({ text: await write({ backend, system, messages }, options, call) });
  const instructions = [system, valuePrompt(schema)]
    .filter((part) => part !== undefined)
    .join('\n\n');
  for (let attempt = 1; ; attempt += 1) {
    const text = await write({ backend, system: instructions, messages }, options, call);
    const read = await readValue(text, schema);
    if ('value' in read) return jsonResult({ value: read.value });
    if (attempt === tries) return refused(read.problem, text);
    messages.push(
      messageOf('assistant', text === '' ? '{}' : text),
      messageOf('user', again(read.problem)),
    );
  }
}

const messageOf = (role: 'user' | 'assistant', text: string): ModelMessage => ({
  role,
  content: [{ type: 'text', text }],
});

const valuePrompt = (schema: Record<string, unknown>): string =>
  `Answer with one JSON value that fits this JSON Schema, and nothing else:\n${JSON.stringify(schema)}`;

const again = (problem: Message): string =>
  `That answer cannot be used. ${textOf(problem)}\nWrite the whole value again, as JSON and nothing else.`;

/** A failure with the reason and the answer of the model. */
function refused(problem: Message, text: string): ToolResult {
  const reason = msg('askModel.noValue', { problem });
  return { ...failure(`${textOf(reason)}\n${text}`), reason };
}

interface Request {
  backend: ModelBackend;
  system?: string | undefined;
  messages: ModelMessage[];
}

async function write(
  { backend, system, messages }: Request,
  { tokensUsed }: AskModelOptions,
  { signal, onProgress }: ToolCall,
): Promise<string> {
  let text = '';
  const used = noTokens(backend);
  const about = system === undefined ? {} : { system };
  try {
    for await (const event of backend.stream({ ...about, messages, tools: [], signal })) {
      if (event.type === 'usage') countTokens(used, event);
      if (event.type === 'end') requireWhole(event);
      if (event.type !== 'text') continue;
      text += event.text;
      onProgress?.(event.text);
      if (text.length > maxAnswerCharacters)
        throw new HostError('upstream-failed', 'answer_too_long', msg('askModel.tooLong'));
    }
  } finally {
    tokensUsed(tokensFor(text, used));
  }
  return text;
}

/** Refuses an incomplete answer. */
function requireWhole({ reason, detail = '' }: { reason: string; detail?: string }): void {
  if (reason === 'length')
    throw new HostError('upstream-failed', 'answer_cut', msg('askModel.cutOff'));
  if (reason === 'refusal')
    throw new HostError(
      'upstream-failed',
      'answer_refused',
      detail === '' ? msg('askModel.refused') : msg('askModel.refusedBecause', { detail }),
    );
}
