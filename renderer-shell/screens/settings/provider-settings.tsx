import { NativeSelect, Skeleton } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { NewProvider, Provider } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { EditableRow } from '../../ui/frame/editable-row.tsx';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { RemoveDialog } from '../../ui/frame/remove-dialog.tsx';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { useShell } from '../../state/shell.ts';
import { ProviderForm } from './provider-form.tsx';
import { providerPresets } from './provider-presets.ts';

type Editing = { id: string | null; fields: NewProvider };

const blank: NewProvider = { name: '', protocol: 'openai', baseUrl: '', apiKey: '' };

/** Lists the named providers besides the four modes. */
export function ProviderSettings() {
  const { t } = useTranslation();
  const { client } = useShell();
  const { state, reload, refresh } = useLoaded(
    useCallback(() => client.call(api.providers.list), [client]),
  );
  const [editing, setEditing] = useState<Editing | null>(null);
  const [removing, setRemoving] = useState<Provider | null>(null);
  const add = (name: string) => {
    const preset = providerPresets.find((one) => one.name === name);
    setEditing({ id: null, fields: { ...blank, ...preset } });
  };
  return (
    <section aria-label={t('providers.title')}>
      <h3>{t('providers.title')}</h3>
      <p className="plain setting-text">{t('providers.text')}</p>
      {state.kind === 'loading' && <Skeleton className="late" height={60} />}
      {state.kind === 'failed' && <ErrorAlert error={state.error} onRetry={refresh} />}
      {state.kind === 'ready' && (
        <ul className="memories">
          {state.value.map((provider) => (
            <EditableRow
              key={provider.id}
              title={provider.name}
              text={`${t(`providers.protocol.${provider.protocol}`)} · ${provider.baseUrl}`}
              edit={{
                text: t('providers.edit'),
                label: t('providers.editOne', { name: provider.name }),
                onClick: () => setEditing({ id: provider.id, fields: fieldsOf(provider) }),
              }}
              remove={{
                text: t('providers.remove'),
                label: t('providers.removeTitle', { name: provider.name }),
                onClick: () => setRemoving(provider),
              }}
            />
          ))}
        </ul>
      )}
      {editing === null ? (
        <NativeSelect
          size="xs"
          w={300}
          aria-label={t('providers.add')}
          value=""
          onChange={(event) => add(event.currentTarget.value)}
          data={[
            { value: '', label: t('providers.add'), disabled: true },
            ...providerPresets.map(({ name }) => ({ value: name, label: name })),
            { value: 'other', label: t('providers.other') },
          ]}
        />
      ) : (
        <ProviderForm
          key={editing.id ?? editing.fields.name}
          id={editing.id}
          initial={editing.fields}
          onSaved={reload}
          onClose={() => setEditing(null)}
        />
      )}
      {removing !== null && (
        <RemoveDialog
          title={t('providers.removeTitle', { name: removing.name })}
          text={t('providers.removeText')}
          confirm={t('providers.remove')}
          remove={async () => {
            await client.call(api.providers.remove, { params: { id: removing.id } });
            await reload();
          }}
          onClose={() => setRemoving(null)}
        />
      )}
    </section>
  );
}

const fieldsOf = ({ id: _, ...fields }: Provider): NewProvider => fields;
