import { z } from 'zod';
import { bytes, endpoint, token } from './endpoint.ts';

const Count = z.int().min(0);

/** Tokens as counted by the model server; absent values were not counted. */
export const TokenUsage = z.object({
  /** All input tokens, cached or not. */
  inputTokens: Count.optional(),
  /** All output tokens, including thinking. */
  outputTokens: Count.optional(),
  /** Input tokens that were read from the server's cache. */
  cachedTokens: Count.optional(),
  /** Output tokens for thinking. */
  reasoningTokens: Count.optional(),
});
export type TokenUsage = z.output<typeof TokenUsage>;

export const Cost = z.object({ amount: z.number(), currency: z.string() });
export type Cost = z.output<typeof Cost>;

const Price = z.number().min(0).max(1_000_000);

/** Prices per million tokens. */
export const ModelPrice = z.strictObject({
  input: Price,
  output: Price,
  /** Price of input that is read from the server's cache. Default: `input`. */
  cachedInput: Price.optional(),
});
export type ModelPrice = z.output<typeof ModelPrice>;

const maxPricedModels = 2_000;

/** Prices that the person entered. Empty by default, since prices change. */
export const Prices = z.strictObject({
  currency: z.string().trim().min(1).max(10).default('USD'),
  /** By name of the model, for all providers. */
  models: z
    .record(z.string().min(1).max(500), ModelPrice)
    .refine((models) => Object.keys(models).length <= maxPricedModels, {
      error: 'field.tooManyFields',
      params: { limit: maxPricedModels },
    })
    .default({}),
});
export type Prices = z.output<typeof Prices>;

export const UsageSum = z.object({
  /** Answers of models; a turn with tools has several. */
  answers: z.int(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  cachedTokens: z.int(),
  reasoningTokens: z.int(),
  /** Absent if none of the models has a price. */
  cost: Cost.optional(),
  /** Tokens of models without a price, which `cost` does not include. */
  unpricedTokens: z.int(),
  /** Answers whose output was estimated, since the server did not count it. */
  estimatedAnswers: z.int(),
});
export type UsageSum = z.output<typeof UsageSum>;

const Month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'field.month');

export const UsageReport = z.object({
  total: UsageSum,
  /** Newest last. Months in the time zone of this machine. */
  months: z.array(
    UsageSum.extend({ month: z.string(), models: z.array(UsageSum.extend({ model: z.string() })) }),
  ),
  /** The 200 with the most tokens. Deleted conversations have no title. */
  conversations: z.array(UsageSum.extend({ id: z.string(), title: z.string().optional() })),
});
export type UsageReport = z.output<typeof UsageReport>;

const Period = z.object({ from: Month.optional(), to: Month.optional() });

export const usage = {
  prices: endpoint({
    method: 'GET',
    path: '/api/ai/prices',
    access: token,
    summary: 'What models cost, per million tokens',
    reply: Prices,
  }),
  setPrices: endpoint({
    method: 'PUT',
    path: '/api/ai/prices',
    access: token,
    summary: 'Replace the prices; costs follow at once, also those of earlier answers',
    body: Prices,
    reply: Prices,
  }),
  report: endpoint({
    method: 'GET',
    path: '/api/ai/usage',
    access: token,
    summary: 'Tokens and cost by month, model and conversation; from and to are months',
    query: Period,
    reply: UsageReport,
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/ai/usage/export',
    access: token,
    summary: 'The same by day as CSV',
    query: Period,
    reply: bytes('text/csv'),
  }),
} as const;
