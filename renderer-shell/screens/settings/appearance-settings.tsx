import { SegmentedControl, Select } from '@mantine/core';
import { languageName } from '../../core/messages/language-name.ts';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { SettingsPatch } from '../../../service/contract/index.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { languageOf, languages } from '../../../service/messages/languages.ts';
import { Setting } from '../../ui/forms/setting.tsx';

/** Edits theme and language. */
export function AppearanceSettings({ onChange }: { onChange: (patch: SettingsPatch) => void }) {
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
            data={languages.map((value) => ({ value, label: languageName(value) }))}
            onChange={(value) => value && onChange({ language: value })}
            allowDeselect={false}
          />
        )}
      </Setting>
    </section>
  );
}
