import './composer.css';
import { Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { contextTokens } from '../../chat/context-size.ts';
import type { Conversation } from '../../chat/conversation.ts';
import { useShell } from '../../state/shell.ts';
import { usePart, useStore } from '../../store.ts';

/** From here on the host shortens what is older, for the model alone. */
const compactsAt = 0.6;

/** How much of what the model can see at once the conversation takes. */
export function ContextMeter({ conversation }: { conversation: Conversation }) {
  const { t, i18n } = useTranslation();
  const { models } = useShell();
  const most = useStore(models)?.contextWindowTokens ?? 0;
  const messages = usePart(conversation.state, (state) => state.messages);
  const firstIndex = usePart(conversation.state, (state) => state.firstIndex);
  const used = contextTokens({ messages, firstIndex });
  if (most === 0 || used === 0) return null;
  const percent = Math.min(100, Math.ceil((used / most) * 100));
  const number = (value: number) => value.toLocaleString(i18n.language);
  const isShortened = used / most > compactsAt;
  const text = t('context.text', { used: number(used), most: number(most) });
  return (
    <Tooltip
      multiline
      maw={280}
      events={{ hover: true, focus: true, touch: true }}
      label={`${text} ${t(isShortened ? 'context.shortened' : 'context.whole')}`}
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
