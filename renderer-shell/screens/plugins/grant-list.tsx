import { Skeleton } from '@mantine/core';
import { useCallback } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { FileRef } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { useShell } from '../../state/shell.ts';
import { sizeText } from '../../core/messages/amounts.ts';

/** Lists the files and folders that a plugin may use now. */
export function GrantList({ id }: { id: string }) {
  const { t } = useTranslation();
  const { client } = useShell();
  const load = useCallback(() => client.call(api.files.list, { params: { id } }), [client, id]);
  const { state, refresh } = useLoaded(load);
  return (
    <section className="permissions" aria-label={t('grants.title')}>
      <h3>{t('grants.title')}</h3>
      {state.kind === 'loading' && <Skeleton className="late" height={40} />}
      {state.kind === 'failed' && <ErrorAlert error={state.error} onRetry={refresh} />}
      {state.kind === 'ready' && <Granted refs={state.value} />}
    </section>
  );
}

function Granted({ refs }: { refs: readonly FileRef[] }) {
  const { t, language } = useTranslation();
  if (refs.length === 0) return <p className="plain running-more">{t('grants.none')}</p>;
  return (
    <>
      <ul aria-label={t('grants.title')}>
        {refs.map(({ id, name, kind, access, size }) => (
          <li key={id}>
            <span className="untrusted">{name}</span>
            <span className="running-more">
              {t(`grants.kind.${kind}`)} · {t(`grants.access.${access}`)} ·{' '}
              {sizeText(size, language)}
            </span>
          </li>
        ))}
      </ul>
      <p className="plain running-more">{t('grants.until')}</p>
    </>
  );
}
