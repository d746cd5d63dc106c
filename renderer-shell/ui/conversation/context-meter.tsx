import './composer.css';
import { Tooltip } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Conversation } from '../../state/chat/conversation.ts';
import { useShell } from '../../state/shell.ts';
import { usePart, useStore } from '../../core/store.ts';

/**
 * Shows the used share of the model's context window: the conversation, its instructions and its
 * tools.
 */
export function ContextMeter({ conversation }: { conversation: Conversation }) {
  const { t, language } = useTranslation();
  const { models } = useShell();
  const most = useStore(models)?.contextWindowTokens ?? 0;
  const context = usePart(conversation.state, (state) => state.context);
  if (most === 0 || context === null) return null;
  const { usedTokens: used, systemTokens, toolTokens, messageTokens } = context;
  const percent = Math.min(100, Math.ceil((used / most) * 100));
  const number = (value: number) => value.toLocaleString(language);
  // The window may have changed since; the share at which older messages are summarized has not.
  const isShortened = used * context.windowTokens > context.compactsAtTokens * most;
  const text = t('context.text', { used: number(used), most: number(most) });
  const parts = t('context.parts', {
    messages: number(messageTokens),
    tools: number(toolTokens),
    system: number(systemTokens),
  });
  return (
    <Tooltip
      multiline
      maw={280}
      events={{ hover: true, focus: true, touch: true }}
      label={`${text} ${parts} ${t(isShortened ? 'context.shortened' : 'context.whole')}`}
    >
      <span
        className="context-meter"
        role="meter"
        tabIndex={0}
        aria-label={t('context.label')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={text}
        data-tone={isShortened ? 'warn' : undefined}
      >
        <svg viewBox="0 0 16 16" width={14} height={14} aria-hidden>
          <circle className="context-all" cx={8} cy={8} r={6} pathLength={100} />
          <circle
            className="context-used"
            cx={8}
            cy={8}
            r={6}
            pathLength={100}
            strokeDasharray={`${percent} 100`}
          />
        </svg>
        {t('context.percent', { percent })}
      </span>
    </Tooltip>
  );
}
