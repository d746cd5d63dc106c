import type { ModelEvent } from './model-backend.ts';

/** Tokens of one answer of a model. */
export interface UsedTokens {
  inputTokens: number;
  outputTokens: number;
  /** True if the server reported the numbers; otherwise the output is estimated. */
  told: boolean;
}

export const noTokens = (): UsedTokens => ({ inputTokens: 0, outputTokens: 0, told: false });

/** Each reported number replaces the earlier one. */
export function countTokens(used: UsedTokens, usage: Extract<ModelEvent, { type: 'usage' }>): void {
  used.told ||= usage.outputTokens !== undefined;
  used.inputTokens = usage.inputTokens ?? used.inputTokens;
  used.outputTokens = usage.outputTokens ?? used.outputTokens;
}

/** The tokens of an answer with this text. */
export const tokensFor = (text: string, used: UsedTokens): UsedTokens =>
  used.told ? used : { ...used, outputTokens: tokensOfText(text) };

const bytesPerToken = 4;

/** Estimated by UTF-8 bytes, which is precise enough for every language and needs no tokenizer. */
export const tokensOfText = (text: string): number =>
  Math.ceil(Buffer.byteLength(text) / bytesPerToken);
