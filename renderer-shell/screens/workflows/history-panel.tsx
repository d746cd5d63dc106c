import { Button } from '@mantine/core';
import { useCallback, useEffect } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { api } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { exactTime } from '../../core/messages/amounts.ts';
import { useWorkflow } from './workflow-context.ts';

/** Lists the stored revisions; each of them can be restored. */
export function HistoryPanel() {
  const { t, language } = useTranslation();
  const { workflows, editor, state } = useWorkflow();
  const { id: workflowId, revision } = state.workflow;
  const load = useCallback(
    () => workflows.client.call(api.workflows.revisions, { params: { workflowId } }),
    [workflows, workflowId],
  );
  const { state: loaded, refresh } = useLoaded(load);
  useEffect(refresh, [refresh, revision]);
  const action = useAction();
  const restore = (chosen: number) =>
    void action.run(async () => {
      await editor.saved();
      const params = { workflowId, revision: String(chosen) };
      editor.take(await workflows.client.call(api.workflows.restore, { params }));
    });
  if (loaded.kind === 'loading') return null;
  if (loaded.kind === 'failed') return <ErrorAlert error={loaded.error} onRetry={refresh} />;
  return (
    <div className="flow-form">
      <p className="quiet plain">{t('flows.historyText')}</p>
      {action.error !== null && <ErrorAlert error={action.error} />}
      <ol className="flow-revisions">
        {loaded.value.map((one) => (
          <li key={one.revision}>
            <span className="row-text">
              <span className="untrusted">
                {one.revision}. {one.name}
              </span>
              <span className="row-more">
                {t('flows.stepCount', { count: one.steps })} · {exactTime(one.createdAt, language)}
              </span>
            </span>
            {one.revision === revision ? (
              <span className="quiet">{t('flows.current')}</span>
            ) : (
              <Button
                size="compact-xs"
                variant="default"
                disabled={action.busy}
                aria-label={t('flows.restoreThat', { revision: one.revision })}
                onClick={() => restore(one.revision)}
              >
                {t('flows.restore')}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}
