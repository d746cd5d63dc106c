import type { ChatMessage, Cost, TokenUsage } from '../../../contract/index.ts';

/** By the person's prices; undefined where the model has none. */
export type CostOf = (model: string, usage: TokenUsage) => Cost | undefined;

/** An answer with what it cost. */
export function priced({ cost: _, ...message }: ChatMessage, costOf: CostOf): ChatMessage {
  const { model, usage } = message;
  const cost = model && usage && costOf(model.name, usage);
  return cost === undefined ? message : { ...message, cost };
}
