import { Switch } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { SettingsPatch } from '../../../service/contract/index.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { Setting } from '../../ui/forms/setting.tsx';
import { hostMessage } from '../../core/messages/host-message.ts';

/** Edits whether models may see and control this computer, and shows whether they can. */
export function ComputerSettings({ onChange }: { onChange: (patch: SettingsPatch) => void }) {
  const { t } = useTranslation();
  const { computerUseEnabled, computerUse } = useStore(useShell().settings);
  return (
    <section aria-label={t('sections.computer')}>
      <h2>{t('sections.computer')}</h2>
      <Setting label={t('computer.enabled')} text={t('computer.enabledText')}>
        {(labelId) => (
          <Switch
            aria-labelledby={labelId}
            checked={computerUseEnabled}
            onChange={(event) => onChange({ computerUseEnabled: event.currentTarget.checked })}
          />
        )}
      </Setting>
      <p className="plain quiet">
        {computerUse?.available === true ? t('computer.available') : t('computer.unavailable')}
      </p>
      {computerUse?.available === false && (
        <p className="plain quiet">{hostMessage(computerUse.reasonMessage, computerUse.reason)}</p>
      )}
    </section>
  );
}
