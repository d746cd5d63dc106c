import type { ChatMessage, Cost, TokenUsage } from '../../../contract/index.ts';

/** Returns the cost by the configured prices; undefined if the model has none. */
export type CostOf = (model: string, usage: TokenUsage) => Cost | undefined;

/** Returns an answer with its cost. */
export function priced({ cost: _, ...message }: ChatMessage, costOf: CostOf): ChatMessage {
  const { model, usage } = message;
  const cost = model && usage && costOf(model.name, usage);
  return cost === undefined ? message : { ...message, cost };
}
