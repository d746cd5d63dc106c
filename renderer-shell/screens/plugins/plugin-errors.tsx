import { Button, Skeleton } from '@mantine/core';
import { ageText } from '../../core/messages/amounts.ts';
import { hostMessage } from '../../core/messages/host-message.ts';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { PluginError, PluginErrors } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { useShell } from '../../state/shell.ts';
import { Tag } from '../../ui/frame/alert.tsx';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { FailureDetails } from '../../ui/frame/failure-details.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import type { Loading } from '../../ui/frame/use-loaded.ts';
import { useNow } from '../../ui/frame/use-now.ts';

const ageMs = 30_000;

interface PluginErrorListProps {
  id: string;
  errors: Loading<PluginErrors>;
}

/** Lists the errors in the worker and the page of a plugin, newest first. */
export function PluginErrorList({ id, errors: { state, reload, refresh } }: PluginErrorListProps) {
  const { t } = useTranslation();
  const { client } = useShell();
  const action = useAction();
  if (state.kind === 'loading') return <Skeleton className="late" height={40} />;
  if (state.kind === 'failed') return <ErrorAlert error={state.error} onRetry={refresh} />;
  const { errors } = state.value;
  const clear = () =>
    action.run(async () => {
      await client.call(api.plugins.clearErrors, { params: { id } });
      await reload();
    });
  return (
    <>
      {action.error !== null && <ErrorAlert error={action.error} />}
      {errors.length === 0 ? (
        <p className="plain running-more">{t('pluginErrors.none')}</p>
      ) : (
        <>
          <ul className="plugin-errors" aria-label={t('pluginErrors.title')}>
            {errors.map((error) => (
              <ErrorRow key={`${error.origin} ${error.firstAt} ${error.message}`} error={error} />
            ))}
          </ul>
          <Button
            size="xs"
            variant="default"
            mt="sm"
            loading={action.busy}
            onClick={() => void clear()}
          >
            {t('pluginErrors.clear')}
          </Button>
        </>
      )}
    </>
  );
}

function ErrorRow({ error }: { error: PluginError }) {
  const { t, language } = useTranslation();
  const now = useNow(ageMs);
  const { origin, level, message, text, place, details, count, lastAt } = error;
  const where = [place?.file, place?.line, place?.column].filter((part) => part !== undefined);
  return (
    <li className="plugin-error">
      <p className="plain">
        <Tag tone={level === 'error' ? 'bad' : 'warn'}>{t(`pluginErrors.origin.${origin}`)}</Tag>{' '}
        {where.length > 0 && <code className="untrusted">{where.join(':')}</code>}{' '}
        <span className="running-more">
          {count > 1 && `${t('pluginErrors.times', { count })} · `}
          <time dateTime={lastAt} title={lastAt}>
            {ageText(lastAt, now, language)}
          </time>
        </span>
      </p>
      <pre className="plugin-error-text untrusted">{hostMessage(text, message)}</pre>
      {details !== undefined && <FailureDetails details={details} />}
    </li>
  );
}
