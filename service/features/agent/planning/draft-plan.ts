import type { AgentPlan } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import {
  countTokens,
  type ModelBackend,
  type ModelMessage,
  noTokens,
  tokensFor,
  type UsedTokens,
} from '../../models/index.ts';
import { plannerPrompt, type PromptFacts } from './planner-prompt.ts';
import { readDraft } from './read-draft.ts';
import { type HostText, msg, textOf } from '../../../messages/index.ts';

/** The goal, the model that writes the plan, and callbacks for its progress. */
export interface DraftOptions extends PromptFacts {
  backend: ModelBackend;
  goal: string;
  signal: AbortSignal;
  onText: (text: string) => void;
  /** Called after each request, even a failed one. */
  onAsked: (used: UsedTokens, durationMs: number) => void;
  /** Called before the model is asked again; `why` is the error of its first plan. */
  onRefused: (why: HostText) => void;
  /** @throws HostError `invalid_plan` */
  check: (plan: AgentPlan) => Promise<void>;
}

const maxDraftCharacters = 2 * 1024 * 1024;
const drafts = 2;

/**
 * Lets the model write a plan, and once more if the first one is invalid. Reasoning is ignored.
 * @throws HostError 422 `invalid_plan`, 502 `plan_too_long`, or the error of the model server
 */
export async function draftPlan(options: DraftOptions): Promise<AgentPlan> {
  const system = plannerPrompt(options);
  const messages: ModelMessage[] = [
    { role: 'user', content: [{ type: 'text', text: options.goal }] },
  ];
  for (let draft = 1; ; draft += 1) {
    const text = await write(options, system, messages);
    try {
      const plan = readDraft(text, options.maxSteps);
      await options.check(plan);
      return { ...plan, goal: plan.goal ?? options.goal };
    } catch (error) {
      if (!(error instanceof HostError) || error.code !== 'invalid_plan') throw error;
      if (draft === drafts) throw unusable(error);
      options.onRefused(error.text);
      messages.push(
        { role: 'assistant', content: [{ type: 'text', text: text === '' ? '{}' : text }] },
        { role: 'user', content: [{ type: 'text', text: again(error) }] },
      );
    }
  }
}

async function write(
  { backend, signal, onText, onAsked }: DraftOptions,
  system: string,
  messages: ModelMessage[],
): Promise<string> {
  let text = '';
  const used = noTokens(backend);
  const startedMs = performance.now();
  try {
    for await (const event of backend.stream({ system, messages, tools: [], signal })) {
      if (event.type === 'usage') countTokens(used, event);
      if (event.type !== 'text') continue;
      text += event.text;
      onText(event.text);
      if (text.length > maxDraftCharacters) throw tooLong();
    }
  } finally {
    onAsked(tokensFor(text, used), performance.now() - startedMs);
  }
  return text;
}

const tooLong = (): HostError =>
  new HostError('upstream-failed', 'plan_too_long', msg('plan.draftTooLong'));

function again({ message, errors = [] }: HostError): string {
  const wrong = errors.map(({ path, message: what }) => `- ${path}: ${textOf(what)}`).slice(0, 20);
  return [
    'That plan cannot be used.',
    ...(wrong.length > 0 ? wrong : [message]),
    'Write the whole plan again, as one JSON object and nothing else.',
  ].join('\n');
}

function unusable(error: HostError): HostError {
  const { text: reason, errors } = error;
  const text = msg('plan.draftUnusable', { reason });
  return new HostError('unprocessable', 'invalid_plan', text, errors ? { errors } : {});
}
