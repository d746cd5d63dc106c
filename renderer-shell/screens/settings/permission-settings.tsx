import { Button, Group, Select, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SettingsPatch } from '../../../service/contract/index.ts';
import { PermissionMode } from '../../../service/contract/index.ts';
import { ErrorNote } from '../../frame/error-note.tsx';
import { useAction } from '../../frame/use-action.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../store.ts';
import { RuleTester } from './rule-tester.tsx';
import { Setting } from './setting.tsx';

interface PermissionSettingsProps {
  onChange: (patch: SettingsPatch) => void;
}

const lists = ['deny', 'ask', 'allow'] as const;

/** What models may do: the mode that conversations begin with, the rules, and a place to try them. */
export function PermissionSettings({ onChange }: PermissionSettingsProps) {
  const { t } = useTranslation();
  const { settings } = useShell();
  const { permissionMode, permissionRules } = useStore(settings);
  return (
    <section aria-label={t('rules.section')}>
      <h2>{t('rules.section')}</h2>
      <Setting label={t('rules.mode')} text={t('rules.modeText')}>
        {(labelId) => (
          <Select
            size="xs"
            w={180}
            aria-labelledby={labelId}
            value={permissionMode}
            data={PermissionMode.options.map((value) => ({
              value,
              label: t(`mode.${value}.name`),
            }))}
            onChange={(value) => value && onChange({ permissionMode: value })}
            allowDeselect={false}
          />
        )}
      </Setting>
      <RulesForm key={lists.map((list) => permissionRules[list]).join('\0')} />
    </section>
  );
}

function RulesForm() {
  const { t } = useTranslation();
  const { settings } = useShell();
  const stored = settings.get().permissionRules;
  const [rules, setRules] = useState(stored);
  const action = useAction();
  const isChanged = lists.some((list) => rules[list] !== stored[list]);
  return (
    <div className="stacked-form">
      <p className="plain setting-text">{t('rules.text')}</p>
      {lists.map((list) => (
        <Textarea
          key={list}
          label={t(`rules.${list}`)}
          description={t(`rules.${list}Text`)}
          className="code-field"
          autosize
          minRows={2}
          maxRows={12}
          spellCheck={false}
          value={rules[list]}
          onChange={(event) => setRules({ ...rules, [list]: event.currentTarget.value })}
        />
      ))}
      {action.error !== null && <ErrorNote error={action.error} />}
      <Group gap="xs">
        <Button
          size="xs"
          loading={action.busy}
          disabled={!isChanged}
          onClick={() => void action.run(() => settings.change({ permissionRules: rules }))}
        >
          {t('rules.save')}
        </Button>
        {isChanged && (
          <Button size="xs" variant="default" onClick={() => setRules(stored)}>
            {t('rules.undo')}
          </Button>
        )}
      </Group>
      <RuleTester rules={rules} />
    </div>
  );
}
