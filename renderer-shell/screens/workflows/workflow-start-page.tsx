import { Button, Group } from '@mantine/core';
import { IconFileImport, IconPlus } from '@tabler/icons-react';
import { useCallback } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { api } from '../../../service/contract/index.ts';
import type { Workflows } from '../../state/workflows/workflows.ts';
import { localizeTemplate } from '../../state/workflows/localize-kinds.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { useNewWorkflow } from './use-new-workflow.ts';

/** Introduces workflows while none is open, and offers ways to start. */
export function WorkflowStartPage({ workflows }: { workflows: Workflows }) {
  const { t } = useTranslation();
  const creation = useNewWorkflow(workflows);
  const load = useCallback(() => workflows.client.call(api.workflows.templates), [workflows]);
  const { state, refresh } = useLoaded(load);
  const { busy, error } = creation.action;
  const templates = state.kind === 'ready' ? state.value : [];
  const localized = templates.map((template) => localizeTemplate(template, t));
  return (
    <main className="content flow-begin">
      <div className="flow-begin-body">
        <h1 title={t('flows.beginTitle')}>{t('flows.beginTitle')}</h1>
        <p>{t('flows.beginText')}</p>
        <Group gap="xs">
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={busy}
            onClick={creation.empty}
          >
            {t('flows.newEmpty')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconFileImport size={16} aria-hidden />}
            disabled={busy}
            onClick={creation.fromFile}
          >
            {t('flows.import')}
          </Button>
        </Group>
        {error !== null && <ErrorAlert error={error} />}
        <h2>{t('flows.templates')}</h2>
        {state.kind === 'failed' && <ErrorAlert error={state.error} onRetry={refresh} />}
        <ul className="flow-templates">
          {localized.map((template) => (
            <li key={template.id}>
              <button type="button" disabled={busy} onClick={() => creation.fromTemplate(template)}>
                <strong>{template.name}</strong>
                <span>{template.description}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </main>
  );
}
