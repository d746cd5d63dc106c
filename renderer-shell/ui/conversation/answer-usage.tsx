import { costText } from '../../core/messages/cost-text.ts';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { PlacedMessage } from '../../state/chat/conversation-state.ts';

/** Shows the tokens of an answer, and its cost if its model has a price. */
export function AnswerUsage({ usage, cost }: Pick<PlacedMessage, 'usage' | 'cost'>) {
  const { t, language } = useTranslation();
  if (usage === undefined) return null;
  const { inputTokens = 0, outputTokens = 0, cachedTokens = 0, reasoningTokens = 0 } = usage;
  const numbers = { input: inputTokens, output: outputTokens };
  const parts = { cached: cachedTokens, reasoning: reasoningTokens };
  return (
    <span className="answer-usage">
      {t('chat.answerUsage', { ...numbers, ...parts })}
      {cost && ` · ${costText(cost, language)}`}
    </span>
  );
}
