import { Button, Group, Select } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { SettingsPatch } from '../../../service/contract/index.ts';
import { PermissionMode } from '../../../service/contract/index.ts';
import { CodeEditor } from '../../ui/editor/code-editor.tsx';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { rulesOf } from '../../state/typed-rules.ts';
import { useDraft } from '../../ui/frame/use-draft.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { RuleTester } from './rule-tester.tsx';
import { SavedApprovals } from './saved-approvals.tsx';
import { SamplingSetting } from '../../ui/forms/sampling-setting.tsx';
import { Setting } from '../../ui/forms/setting.tsx';
import type { RuleProblem } from './use-rule-problems.ts';
import { useRuleProblems } from './use-rule-problems.ts';
import { hostMessage } from '../../core/messages/host-message.ts';

interface PermissionSettingsProps {
  onChange: (patch: SettingsPatch) => void;
}

const lists = ['deny', 'ask', 'allow'] as const;

/**
 * Edits what models may do: the initial mode of conversations, the rules, and a tester for them.
 */
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
      <SamplingSetting />
      <RulesForm stored={permissionRules} />
    </section>
  );
}

type Rules = Record<(typeof lists)[number], string>;

function RulesForm({ stored }: { stored: Rules }) {
  const { t } = useTranslation();
  const { settings } = useShell();
  const draft = useDraft('draft.rules', () => ({ base: stored, typed: stored }));
  const rules = useMemo(() => rulesOf(draft.value, stored), [draft.value, stored]);
  const problems = useRuleProblems(rules);
  const action = useAction();
  const isChanged = lists.some((list) => rules[list] !== stored[list]);
  const save = async () => {
    if (await action.run(() => settings.change({ permissionRules: rules }))) draft.drop();
  };
  return (
    <div className="stacked-form">
      <p className="plain setting-text">{t('rules.text')}</p>
      {lists.map((list) => (
        <RuleList
          key={list}
          list={list}
          text={rules[list]}
          problems={problems.filter((problem) => problem.list === list)}
          onChange={(text) =>
            draft.change((before) => ({
              base: stored,
              typed: { ...rulesOf(before, stored), [list]: text },
            }))
          }
        />
      ))}
      {action.error !== null && <ErrorAlert error={action.error} />}
      <Group gap="xs">
        <Button size="xs" loading={action.busy} disabled={!isChanged} onClick={() => void save()}>
          {t('rules.save')}
        </Button>
        {isChanged && (
          <Button size="xs" variant="default" onClick={draft.drop}>
            {t('rules.undo')}
          </Button>
        )}
      </Group>
      <SavedApprovals />
      <RuleTester rules={rules} />
    </div>
  );
}

interface RuleListProps {
  list: (typeof lists)[number];
  text: string;
  problems: RuleProblem[];
  onChange: (text: string) => void;
}

/** Edits the rules of one list as text; errors of invalid lines are below it. */
function RuleList({ list, text, problems, onChange }: RuleListProps) {
  const { t } = useTranslation();
  return (
    <div className="settings-rules">
      <p className="settings-label">{t(`rules.${list}`)}</p>
      <p className="plain setting-text">{t(`rules.${list}Text`)}</p>
      <CodeEditor
        label={t(`rules.${list}`)}
        value={text}
        onChange={onChange}
        language="text"
        lines={3}
      />
      <ul className="settings-wrong untrusted" role="status">
        {problems.map(({ line, message, hostMessage: text }) => (
          <li key={line}>
            {t('sections.line', { line })} {hostMessage(text, message)}
          </li>
        ))}
      </ul>
    </div>
  );
}
