import '../../core/messages/plugin-translations.ts';
import { Button, Group, Loader, Modal, Stack, Text } from '@mantine/core';
import type { SubmitEvent } from 'react';
import { useCallback, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { MarketplacePlugin, PluginConfig } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import type { DialogProps } from '../../ui/frame/lazy-dialog.tsx';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { Alert } from '../../ui/frame/alert.tsx';
import { SchemaForm } from '../../ui/forms/schema-form.tsx';
import type { Values } from '../../ui/forms/schema-form.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useDraft } from '../../ui/frame/use-draft.ts';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import type { UserConfig } from './config-fields.ts';
import { hostMessage } from '../../core/messages/host-message.ts';
import { configChanges, configFields, splitChanges } from './config-fields.ts';
import { ChoosePaths } from './choose-paths.tsx';

/** Edits the settings of a plugin, after its installation or at any time. */
export function ConfigDialog({ opened }: DialogProps) {
  const { t } = useTranslation();
  const { plugins, view } = useShell();
  const { configure } = useStore(view);
  useStore(plugins.state);
  const plugin = configure === null ? undefined : plugins.find(configure);
  return (
    <Modal
      opened={opened}
      onClose={() => view.patch({ configure: null })}
      title={<span className="untrusted">{t('config.title', { name: plugin?.name ?? '' })}</span>}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      {plugin && <ConfigBody key={plugin.id} plugin={plugin} />}
    </Modal>
  );
}

function ConfigBody({ plugin }: { plugin: MarketplacePlugin }) {
  const { client } = useShell();
  const { id } = plugin;
  const load = useCallback(() => client.call(api.plugins.config, { params: { id } }), [client, id]);
  const { state, refresh } = useLoaded(load);
  if (state.kind === 'failed') return <ErrorAlert error={state.error} onRetry={refresh} />;
  if (state.kind !== 'ready') return <Loader size="sm" className="late" />;
  return <ConfigForm plugin={plugin} config={state.value} />;
}

function ConfigForm({ plugin, config }: { plugin: MarketplacePlugin; config: PluginConfig }) {
  const { t } = useTranslation();
  const { client, plugins, view } = useShell();
  const action = useAction();
  const { id, userConfig = {} } = plugin;
  const typed = useTypedConfig(id, userConfig, config.values);
  const { values } = typed;
  const fields = configFields(userConfig);
  const close = () => {
    typed.drop();
    view.patch({ configure: null });
  };

  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    const body = configChanges(userConfig, config.values, values);
    const saved = await action.run(() =>
      client.call(api.plugins.setConfig, { params: { id }, body }),
    );
    if (!saved) return;
    await plugins.refresh();
    plugins.reload(id);
    close();
  };

  return (
    <form onSubmit={(event) => void save(event)} noValidate>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('config.text')}
        </Text>
        <SchemaForm fields={fields} values={values} onChange={typed.change} short />
        <UnusableSettings userConfig={userConfig} config={config} />
        <ChoosePaths userConfig={userConfig} values={values} onChange={typed.change} />
        {action.error !== null && <ErrorAlert error={action.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={action.busy}>
            {t('config.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface UnusableSettingsProps {
  userConfig: UserConfig;
  config: PluginConfig;
}

/** Lists stored values that cannot be used now, each with the reason. */
function UnusableSettings({ userConfig, config: { unusable = [] } }: UnusableSettingsProps) {
  return unusable.map(({ key, message, text }) => (
    <Alert key={key} tone="warn" role="alert" title={userConfig[key]?.title ?? key}>
      <p className="plain">{hostMessage(text, message)}</p>
    </Alert>
  ));
}

/** Preserves typed values, except secrets, when the dialog is closed without Save or Cancel. */
function useTypedConfig(id: string, userConfig: UserConfig, stored: Values) {
  const draft = useDraft<Values>(`config:${id}`, () => ({}));
  const [secrets, setSecrets] = useState<Values>({});
  return {
    values: { ...stored, ...draft.value, ...secrets },
    change: (next: Values): void => {
      const { secret, open } = splitChanges(userConfig, stored, next);
      setSecrets(secret);
      draft.change(open);
    },
    drop: draft.drop,
  };
}
