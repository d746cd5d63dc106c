import { ActionIcon, Group, Select } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { SettingsPatch } from '../../../service/contract/index.ts';
import { LogArea, LogLevel } from '../../../service/contract/index.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { Setting } from '../../ui/forms/setting.tsx';

interface LogSettingsProps {
  onChange: (patch: SettingsPatch) => void;
}

/** Edits the log level of the host as a whole and of its areas. */
export function LogSettings({ onChange }: LogSettingsProps) {
  const { t } = useTranslation();
  const { settings } = useShell();
  const { logLevel } = useStore(settings);
  return (
    <section>
      <h2>{t('settings.log')}</h2>
      <Setting label={t('settings.logLevel')} text={t('settings.logLevelText')}>
        {(labelId) => (
          <LevelSelect
            labelId={labelId}
            level={logLevel}
            onChange={(level) => onChange({ logLevel: level })}
          />
        )}
      </Setting>
      <AreaLevels onChange={onChange} />
    </section>
  );
}

function AreaLevels({ onChange }: LogSettingsProps) {
  const { t } = useTranslation();
  const { settings } = useShell();
  const { logLevel, logLevels } = useStore(settings);
  const change = (area: LogArea, level: LogLevel | null) => {
    const { [area]: _, ...others } = logLevels;
    onChange({ logLevels: level === null ? others : { ...others, [area]: level } });
  };
  const chosen = LogArea.options.filter((area) => logLevels[area] !== undefined);
  const others = LogArea.options.filter((area) => logLevels[area] === undefined);
  return (
    <>
      <Setting label={t('settings.logLevels')} text={t('settings.logLevelsText')}>
        {(labelId) => (
          <Select
            size="xs"
            w={180}
            aria-labelledby={labelId}
            placeholder={t('settings.logLevelsAdd')}
            value={null}
            data={others.map((area) => ({ value: area, label: t(`logArea.${area}`) }))}
            onChange={(area) => area && change(area, logLevel === 'TRACE' ? 'INFO' : 'DEBUG')}
            searchable
          />
        )}
      </Setting>
      {chosen.length > 0 && (
        <ul className="running-parts" aria-label={t('settings.logLevels')}>
          {chosen.map((area) => (
            <li key={area}>
              <Group gap="xs" justify="space-between">
                <span id={`log-area-${area}`}>{t(`logArea.${area}`)}</span>
                <Group gap="xs">
                  <LevelSelect
                    labelId={`log-area-${area}`}
                    level={logLevels[area] ?? logLevel}
                    onChange={(level) => change(area, level)}
                  />
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t('settings.logLevelsRemove', { area: t(`logArea.${area}`) })}
                    onClick={() => change(area, null)}
                  >
                    <IconX size={14} />
                  </ActionIcon>
                </Group>
              </Group>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function LevelSelect({
  labelId,
  level,
  onChange,
}: {
  labelId: string;
  level: LogLevel;
  onChange: (level: LogLevel) => void;
}) {
  const { t } = useTranslation();
  return (
    <Select
      size="xs"
      w={180}
      aria-labelledby={labelId}
      value={level}
      data={LogLevel.options.map((value) => ({ value, label: t(`logLevel.${value}`) }))}
      onChange={(value) => value && onChange(value)}
      allowDeselect={false}
    />
  );
}
