import type { TokenUsage } from '../../contract/index.ts';
import type { ModelBackend, ModelEvent } from './model-backend.ts';

/** The model that gave an answer. */
export type AnsweringModel = Pick<ModelBackend, 'mode' | 'provider' | 'model'>;

/** Tokens of one answer of a model. */
export interface UsedTokens {
  inputTokens: number;
  outputTokens: number;
  /** Input tokens read from the server's cache; absent if not reported. */
  cachedTokens?: number;
  /** Output tokens spent on reasoning; absent if not reported. */
  reasoningTokens?: number;
  /** True if the server reported the numbers; otherwise the output is estimated. */
  told: boolean;
  by: AnsweringModel;
}

export const noTokens = ({ mode, provider, model }: AnsweringModel): UsedTokens => ({
  inputTokens: 0,
  outputTokens: 0,
  told: false,
  by: { mode, model, ...(provider === undefined ? {} : { provider }) },
});

/** Each reported number replaces the earlier one. */
export function countTokens(used: UsedTokens, usage: Extract<ModelEvent, { type: 'usage' }>): void {
  used.told ||= usage.outputTokens !== undefined;
  used.inputTokens = usage.inputTokens ?? used.inputTokens;
  used.outputTokens = usage.outputTokens ?? used.outputTokens;
  if (usage.cachedTokens !== undefined) used.cachedTokens = usage.cachedTokens;
  if (usage.reasoningTokens !== undefined) used.reasoningTokens = usage.reasoningTokens;
}

/** The tokens of an answer with this text. */
export const tokensFor = (text: string, used: UsedTokens): UsedTokens =>
  used.told ? used : { ...used, outputTokens: tokensOfText(text) };

/** Adds the tokens of another answer. */
export function addTokens(sum: UsedTokens, used: UsedTokens): void {
  sum.inputTokens += used.inputTokens;
  sum.outputTokens += used.outputTokens;
  sum.told ||= used.told;
  for (const name of ['cachedTokens', 'reasoningTokens'] as const)
    if (used[name] !== undefined) sum[name] = (sum[name] ?? 0) + used[name];
}

/** Returns the usage for display; empty if the server did not report it. */
export function usageOf({ told, by: _, ...usage }: UsedTokens): TokenUsage {
  return told ? usage : {};
}

const bytesPerToken = 4;

/** Estimated by UTF-8 bytes, which is precise enough for every language and needs no tokenizer. */
export const tokensOfText = (text: string): number =>
  Math.ceil(Buffer.byteLength(text) / bytesPerToken);
