import { Button, Group, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { WritableSettings } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { SecretInput } from '../../ui/forms/secret-input.tsx';
import { useDraft } from '../../ui/frame/use-draft.ts';
import { useShell } from '../../state/shell.ts';
import { DiscardButton } from './discard-button.tsx';

type WebSearch = WritableSettings['webSearch'];

const providers = ['none', 'searxng', 'brave', 'tavily'] as const;

/** Edits the search service for web searches of models. */
export function WebSettings() {
  const { t } = useTranslation();
  const { settings } = useShell();
  const draft = useDraft<WebSearch>('draft.web', () => settings.get().webSearch);
  const [saved, setSaved] = useState(false);
  const action = useAction();
  const change = (patch: Partial<WebSearch>) => {
    draft.change((before) => ({ ...before, ...patch }));
    setSaved(false);
  };
  const save = async () => {
    const done = await action.run(() => settings.change({ webSearch: draft.value }));
    if (done) draft.drop();
    setSaved(done);
  };
  return (
    <section aria-label={t('sections.web')}>
      <h2>{t('sections.web')}</h2>
      <form
        className="stacked-form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <ProviderFields fields={draft.value} onChange={change} />
        {action.error !== null && <ErrorAlert error={action.error} />}
        <p className="plain quiet" role="status" hidden={!saved}>
          {t('model.saved')}
        </p>
        <Group gap="xs">
          <Button size="xs" type="submit" loading={action.busy}>
            {t('model.save')}
          </Button>
          <DiscardButton draft={draft} />
        </Group>
      </form>
    </section>
  );
}

interface ProviderFieldsProps {
  fields: WebSearch;
  onChange: (patch: Partial<WebSearch>) => void;
}

function ProviderFields({ fields, onChange }: ProviderFieldsProps) {
  const { t } = useTranslation();
  const { provider, baseUrl, apiKey } = fields;
  return (
    <>
      <Select
        label={t('webSearch.provider')}
        description={t('webSearch.providerText')}
        value={provider}
        data={providers.map((value) => ({ value, label: t(`webSearch.${value}`) }))}
        onChange={(value) => value && onChange({ provider: value })}
        allowDeselect={false}
      />
      {provider !== 'none' && (
        <TextInput
          label={t('webSearch.baseUrl')}
          description={t(`webSearch.baseUrlText.${provider === 'searxng' ? 'own' : 'known'}`)}
          value={baseUrl}
          onChange={(event) => onChange({ baseUrl: event.currentTarget.value })}
        />
      )}
      {(provider === 'brave' || provider === 'tavily') && (
        <SecretInput
          label={t('webSearch.apiKey')}
          description={t('webSearch.apiKeyText')}
          autoComplete="off"
          value={apiKey}
          onChange={(event) => onChange({ apiKey: event.currentTarget.value })}
        />
      )}
    </>
  );
}
