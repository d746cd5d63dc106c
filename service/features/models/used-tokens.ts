import type { ModelEvent } from './model-backend.ts';

/** What one answer of a model took. */
export interface UsedTokens {
  inputTokens: number;
  outputTokens: number;
  /** Whether the server told; otherwise what was written is estimated. */
  told: boolean;
}

export const noTokens = (): UsedTokens => ({ inputTokens: 0, outputTokens: 0, told: false });

/** Each number that a server tells replaces the one before. */
export function countTokens(used: UsedTokens, usage: Extract<ModelEvent, { type: 'usage' }>): void {
  used.told ||= usage.outputTokens !== undefined;
  used.inputTokens = usage.inputTokens ?? used.inputTokens;
  used.outputTokens = usage.outputTokens ?? used.outputTokens;
}

/** What an answer took that came to this text. */
export const tokensFor = (text: string, used: UsedTokens): UsedTokens =>
  used.told ? used : { ...used, outputTokens: tokensOfText(text) };

const bytesPerToken = 4;

/** By the bytes of UTF-8, which is close enough for every language and needs no table. */
export const tokensOfText = (text: string): number =>
  Math.ceil(Buffer.byteLength(text) / bytesPerToken);
