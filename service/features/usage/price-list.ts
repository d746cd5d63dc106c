import { Mutex } from 'async-mutex';
import { type Cost, Prices, type TokenUsage } from '../../contract/index.ts';

/** Stores the prices. */
export interface PricesStore {
  load(): Promise<unknown>;
  save(value: unknown): Promise<void>;
}

const tokensPerPrice = 1_000_000;
/** Further digits are rounding errors. */
const digits = 12;

/** The configured prices, in memory and in the database. */
export class PriceList {
  private prices: Prices;
  private readonly store: PricesStore;
  private readonly saving = new Mutex();

  private constructor(store: PricesStore, prices: Prices) {
    this.store = store;
    this.prices = prices;
  }

  static async open(store: PricesStore): Promise<PriceList> {
    return new PriceList(store, readable(await store.load()));
  }

  /** Loads prices that another host has stored. */
  reload(): Promise<void> {
    return this.saving.runExclusive(async () => {
      this.prices = readable(await this.store.load());
    });
  }

  view(): Prices {
    return this.prices;
  }

  replace(prices: Prices): Promise<Prices> {
    return this.saving.runExclusive(async () => {
      await this.store.save(prices);
      this.prices = prices;
      return prices;
    });
  }

  /**
   * Returns the cost of the usage of a model; undefined if the model has no price or nothing was
   * counted.
   */
  costOf(model: string, usage: TokenUsage): Cost | undefined {
    const { currency, models } = this.prices;
    const price = Object.hasOwn(models, model) ? models[model] : undefined;
    const { inputTokens, outputTokens } = usage;
    if (price === undefined || (inputTokens ?? outputTokens) === undefined) return undefined;
    const cached = Math.min(usage.cachedTokens ?? 0, inputTokens ?? 0);
    const total =
      ((inputTokens ?? 0) - cached) * price.input +
      cached * (price.cachedInput ?? price.input) +
      (outputTokens ?? 0) * price.output;
    return { amount: Number((total / tokensPerPrice).toPrecision(digits)), currency };
  }
}

function readable(stored: unknown): Prices {
  const result = Prices.safeParse(stored ?? {});
  return result.success ? result.data : Prices.parse({});
}
