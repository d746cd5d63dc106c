import { Switch } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { SettingsPatch } from '../../../service/contract/index.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { LogSettings } from './log-settings.tsx';
import { Setting } from '../../ui/forms/setting.tsx';

/** Edits the requirements for packages and the log level of plugins. */
export function PluginSettings({ onChange }: { onChange: (patch: SettingsPatch) => void }) {
  const { t } = useTranslation();
  const { settings } = useShell();
  const { requirePluginChecksum, developerMode } = useStore(settings);
  return (
    <>
      <section>
        <h2>{t('settings.plugins')}</h2>
        <Setting label={t('settings.checksum')} text={t('settings.checksumText')}>
          {(labelId) => (
            <Switch
              aria-labelledby={labelId}
              checked={requirePluginChecksum}
              onChange={(event) => onChange({ requirePluginChecksum: event.currentTarget.checked })}
            />
          )}
        </Setting>
        <Setting label={t('settings.developer')} text={t('settings.developerText')}>
          {(labelId) => (
            <Switch
              aria-labelledby={labelId}
              checked={developerMode}
              onChange={(event) => onChange({ developerMode: event.currentTarget.checked })}
            />
          )}
        </Setting>
      </section>
      <LogSettings onChange={onChange} />
    </>
  );
}
