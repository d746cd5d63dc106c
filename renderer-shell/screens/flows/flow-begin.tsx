import { Button, Group } from '@mantine/core';
import { IconFileImport, IconPlus } from '@tabler/icons-react';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../service/contract/index.ts';
import type { FlowBook } from '../../state/flows/flow-book.ts';
import { spokenTemplate } from '../../state/flows/host-words.ts';
import { ErrorNote } from '../../ui/frame/error-note.tsx';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { useNewFlow } from './use-new-flow.ts';

/** What is seen with no workflow open: what they are for, and what to begin with. */
export function FlowBegin({ book }: { book: FlowBook }) {
  const { t } = useTranslation();
  const making = useNewFlow(book);
  const load = useCallback(() => book.client.call(api.workflows.templates), [book]);
  const { state, refresh } = useLoaded(load);
  const { busy, error } = making.action;
  const templates = state.kind === 'ready' ? state.value : [];
  const spoken = templates.map((template) => spokenTemplate(template, t));
  return (
    <main className="content flow-begin">
      <div className="flow-begin-body">
        <h1>{t('flows.beginTitle')}</h1>
        <p>{t('flows.beginText')}</p>
        <Group gap="xs">
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={busy}
            onClick={making.empty}
          >
            {t('flows.newEmpty')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconFileImport size={16} aria-hidden />}
            disabled={busy}
            onClick={making.fromFile}
          >
            {t('flows.import')}
          </Button>
        </Group>
        {error !== null && <ErrorNote error={error} />}
        <h2>{t('flows.templates')}</h2>
        {state.kind === 'failed' && <ErrorNote error={state.error} onRetry={refresh} />}
        <ul className="flow-templates">
          {spoken.map((template) => (
            <li key={template.id}>
              <button type="button" disabled={busy} onClick={() => making.fromTemplate(template)}>
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
