import { Switch } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { SettingsPatch } from '../../../service/contract/index.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { MemoryList } from './memory-list.tsx';
import { Setting } from '../../ui/forms/setting.tsx';

/** Edits whether models remember, and lists what they have remembered. */
export function MemorySettings({ onChange }: { onChange: (patch: SettingsPatch) => void }) {
  const { t } = useTranslation();
  const { memoryEnabled } = useStore(useShell().settings);
  return (
    <section aria-label={t('sections.memory')}>
      <h2>{t('sections.memory')}</h2>
      <Setting label={t('memory.enabled')} text={t('memory.enabledText')}>
        {(labelId) => (
          <Switch
            aria-labelledby={labelId}
            checked={memoryEnabled}
            onChange={(event) => onChange({ memoryEnabled: event.currentTarget.checked })}
          />
        )}
      </Setting>
      <MemoryList />
    </section>
  );
}
