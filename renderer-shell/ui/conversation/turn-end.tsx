import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Conversation } from '../../state/chat/conversation.ts';
import { isRunning, type TurnWarning } from '../../state/chat/turn.ts';
import { Alert } from '../frame/alert.tsx';
import { usePart } from '../../core/store.ts';
import { hostMessage } from '../../core/messages/host-message.ts';

const noWarnings: readonly TurnWarning[] = [];

/** Shows the warnings and the speed of the last turn. */
export function TurnEnd({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation();
  const warnings = usePart(conversation.state, ({ turn }) => turn?.warnings ?? noWarnings);
  const ended = usePart(conversation.state, ({ turn }) => (turn && !isRunning(turn) ? turn : null));
  return (
    <>
      {warnings.length > 0 && (
        <Alert tone="warn" title={t('chat.warnings')}>
          <ul className="untrusted">
            {warnings.map(({ message, text }, index) => (
              <li key={index}>{hostMessage(text, message)}</li>
            ))}
          </ul>
        </Alert>
      )}
      {ended?.state === 'done' && ended.tps !== null && ended.tps > 0 && (
        <p className="turn-end">
          {t('chat.speed', { tps: ended.tps < 10 ? ended.tps.toFixed(1) : Math.round(ended.tps) })}
        </p>
      )}
    </>
  );
}
