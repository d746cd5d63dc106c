import { SegmentedControl, Select, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { SettingsPatch } from '../../../service/contract/index.ts';
import { LogLevel } from '../../../service/contract/index.ts';
import { ErrorNote } from '../../frame/error-note.tsx';
import { useAction } from '../../frame/use-action.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../store.ts';
import { languageOf, languages } from '../../words/words.ts';
import { IsolationSettings } from './isolation-settings.tsx';
import { ModelSettings } from './model-settings.tsx';
import { PermissionSettings } from './permission-settings.tsx';
import { Setting } from './setting.tsx';

/** What a person can set; each change is stored at once. */
export function SettingsScreen() {
  const { t } = useTranslation();
  const { settings } = useShell();
  const action = useAction();
  const store = (patch: SettingsPatch) => action.run(() => settings.change(patch));
  const change = (patch: SettingsPatch) => void store(patch);
  return (
    <main className="content settings" aria-label={t('settings.title')}>
      <header className="toolbar">
        <h1>{t('settings.title')}</h1>
      </header>
      <div className="settings-body">
        {action.error !== null && <ErrorNote error={action.error} />}
        <LookSettings onChange={change} />
        <ModelSettings />
        <PermissionSettings onChange={change} />
        <PluginSettings onChange={change} />
        <IsolationSettings onChange={store} />
      </div>
    </main>
  );
}

interface SectionProps {
  onChange: (patch: SettingsPatch) => void;
}

function LookSettings({ onChange }: SectionProps) {
  const { t } = useTranslation();
  const { settings } = useShell();
  const { theme, language } = useStore(settings);
  return (
    <section>
      <h2>{t('settings.look')}</h2>
      <Setting label={t('settings.theme')} text={t('settings.themeText')}>
        {(labelId) => (
          <SegmentedControl
            size="xs"
            aria-labelledby={labelId}
            value={theme}
            data={(['light', 'dark'] as const).map((value) => ({
              value,
              label: t(`theme.${value}`),
            }))}
            onChange={(value) => onChange({ theme: value })}
          />
        )}
      </Setting>
      <Setting label={t('settings.language')} text={t('settings.languageText')}>
        {(labelId) => (
          <Select
            size="xs"
            w={180}
            aria-labelledby={labelId}
            value={languageOf(language)}
            data={languages.map((value) => ({ value, label: t(`language.${value}`) }))}
            onChange={(value) => value && onChange({ language: value })}
            allowDeselect={false}
          />
        )}
      </Setting>
    </section>
  );
}

function PluginSettings({ onChange }: SectionProps) {
  const { t } = useTranslation();
  const { settings } = useShell();
  const { logLevel, requirePluginChecksum } = useStore(settings);
  return (
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
      <Setting label={t('settings.logLevel')} text={t('settings.logLevelText')}>
        {(labelId) => (
          <Select
            size="xs"
            w={180}
            aria-labelledby={labelId}
            value={logLevel}
            data={LogLevel.options.map((value) => ({ value, label: t(`logLevel.${value}`) }))}
            onChange={(value) => value && onChange({ logLevel: value })}
            allowDeselect={false}
          />
        )}
      </Setting>
    </section>
  );
}
