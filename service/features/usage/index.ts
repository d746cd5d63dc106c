/** Token usage of models, and its cost by the user's own prices. */
import type { Cost, TokenUsage } from '../../contract/index.ts';
import type { Route } from '../../http/route.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { PriceList, type PricesStore } from './price-list.ts';
import { usageRoutes } from './routes.ts';
import { UsageStore } from './usage-store.ts';

/** One answer of a model. */
export interface ModelUse extends TokenUsage {
  /** A mode, or the id of a provider. */
  provider: string;
  model: string;
  conversationId?: string | undefined;
  /** True if the server reported no counts and the output is estimated. */
  estimated: boolean;
}

/** The usage feature with its routes. */
export interface UsageFeature {
  routes: Route[];
  /** Stores the usage of an answer. A failure is logged and does not affect the turn. */
  record(use: ModelUse): void;
  /** Returns the cost by the current prices; undefined if the model has none. */
  costOf: (model: string, usage: TokenUsage) => Cost | undefined;
  /** Loads prices that another host has stored. */
  reload(): Promise<void>;
}

/** Dependencies of the usage feature. */
export interface UsageOptions {
  database: Database;
  prices: PricesStore;
  /** Returns the titles of the conversations that still exist, by id. */
  titles: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  log: Log;
}

export async function createUsage(options: UsageOptions): Promise<UsageFeature> {
  const { database, log, titles } = options;
  const store = new UsageStore(database);
  const prices = await PriceList.open(options.prices);
  return {
    routes: usageRoutes(store, prices, titles),
    costOf: (model, usage) => prices.costOf(model, usage),
    reload: () => prices.reload(),
    record({ provider, model, conversationId = '', estimated, ...usage }) {
      const { inputTokens = 0, outputTokens = 0, cachedTokens = 0, reasoningTokens = 0 } = usage;
      if (inputTokens + outputTokens === 0) return;
      store
        .add({
          day: localDay(new Date()),
          provider,
          model,
          conversationId,
          answers: 1,
          inputTokens,
          outputTokens,
          cachedTokens,
          reasoningTokens,
          estimatedAnswers: estimated ? 1 : 0,
        })
        .catch((error: unknown) => log.error('chat', 'The usage of a model was not stored', error));
    },
  };
}

function localDay(date: Date): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
