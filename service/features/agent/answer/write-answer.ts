import { HostError } from '../../../core/host-error.ts';
import { msg } from '../../../messages/index.ts';
import {
  countTokens,
  type ModelBackend,
  noTokens,
  tokensFor,
  type UsedTokens,
} from '../../models/index.ts';
import { type AnswerFacts, answerPrompt } from './answer-prompt.ts';

/** The facts, the model and the callbacks for writing an answer. */
export interface AnswerOptions extends AnswerFacts {
  backend: ModelBackend;
  signal: AbortSignal;
  onText: (text: string) => void;
  /** Called after each request, even a failed one. */
  onAsked: (used: UsedTokens, durationMs: number) => void;
}

const maxAnswerCharacters = 100_000;

/**
 * Lets the model answer the goal of a run as text, from the results of its steps.
 * @throws HostError 502 `empty_answer`, `answer_too_long`, or the error of the model server
 */
export async function writeAnswer(options: AnswerOptions): Promise<string> {
  const { backend, signal, onText, onAsked } = options;
  const { system, content } = answerPrompt(options);
  let text = '';
  const used = noTokens(backend);
  const startedMs = performance.now();
  try {
    const messages = [
      { role: 'user' as const, content: [{ type: 'text' as const, text: content }] },
    ];
    for await (const event of backend.stream({ system, messages, tools: [], signal })) {
      if (event.type === 'usage') countTokens(used, event);
      if (event.type !== 'text') continue;
      text += event.text;
      onText(event.text);
      if (text.length > maxAnswerCharacters)
        throw new HostError('upstream-failed', 'answer_too_long', msg('run.answerTooLong'));
    }
  } finally {
    onAsked(tokensFor(text, used), performance.now() - startedMs);
  }
  if (text.trim() === '')
    throw new HostError('upstream-failed', 'empty_answer', msg('run.answerEmpty'));
  return text.trim();
}
