import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Conversation } from '../../chat/conversation.ts';
import { ErrorNote } from '../../frame/error-note.tsx';
import { Note } from '../../frame/note.tsx';
import { useAction } from '../../frame/use-action.ts';
import { useStore } from '../../store.ts';

/** How the last turn went: what it warned of, why it failed, how fast it was. */
export function TurnEnd({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation();
  const { turn } = useStore(conversation.state);
  const action = useAction();
  if (!turn) return null;
  return (
    <>
      {turn.warnings.length > 0 && (
        <Note tone="warn" title={t('chat.warnings')}>
          <ul className="untrusted">
            {turn.warnings.map((warning, index) => (
              <li key={index}>{warning}</li>
            ))}
          </ul>
        </Note>
      )}
      {turn.state === 'error' && (
        <Note tone="bad" role="alert" title={t('chat.failed')}>
          <p className="plain untrusted">{turn.message}</p>
          <Button
            size="xs"
            variant="default"
            mt="xs"
            loading={action.busy}
            onClick={() => void action.run(() => conversation.retry())}
          >
            {t('chat.retry')}
          </Button>
        </Note>
      )}
      {action.error !== null && <ErrorNote error={action.error} />}
      {turn.state === 'cancelled' && <p className="turn-end">{t('chat.stopped')}</p>}
      {turn.state === 'done' && turn.tps !== null && turn.tps > 0 && (
        <p className="turn-end">{t('chat.speed', { tps: turn.tps.toFixed(1) })}</p>
      )}
    </>
  );
}
