import { Button, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Received, WritableSettings } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { Alert } from '../../ui/frame/alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useDraft } from '../../ui/frame/use-draft.ts';
import { useShell } from '../../state/shell.ts';
import { jsonObject } from '../../core/json.ts';
import { PageError } from '../../core/messages/page-error.ts';
import { hostMessage } from '../../core/messages/host-message.ts';

type Explained = Received<typeof api.permissions.explain>;

const tones = { allow: 'good', ask: 'warn', deny: 'bad' } as const;
const commandTool = 'execute_command';

interface RuleTesterProps {
  /** Stored or not. */
  rules: WritableSettings['permissionRules'];
}

/** Shows the decision for a call under rules that need not be stored; nothing is run. */
export function RuleTester({ rules }: RuleTesterProps) {
  const { t } = useTranslation();
  const { client } = useShell();
  const draft = useDraft('rules:tester', () => ({ tool: commandTool, text: '' }));
  const { tool, text } = draft.value;
  const [explained, setExplained] = useState<Explained | null>(null);
  const action = useAction();
  const test = () =>
    action.run(async () => {
      const body = { tool: tool.trim(), arguments: argumentsFor(tool.trim(), text), rules };
      setExplained(await client.call(api.permissions.explain, { body }));
    });
  return (
    <form
      className="rule-tester"
      aria-label={t('rules.try')}
      onSubmit={(event) => {
        event.preventDefault();
        void test();
      }}
    >
      <h3>{t('rules.try')}</h3>
      <TextInput
        label={t('rules.tool')}
        value={tool}
        onChange={({ currentTarget: { value } }) =>
          draft.change((before) => ({ ...before, tool: value }))
        }
      />
      <Textarea
        label={t(tool.trim() === commandTool ? 'rules.command' : 'rules.arguments')}
        className="code-field"
        autosize
        minRows={1}
        maxRows={8}
        spellCheck={false}
        value={text}
        onChange={({ currentTarget: { value } }) =>
          draft.change((before) => ({ ...before, text: value }))
        }
      />
      <Button
        size="xs"
        variant="default"
        type="submit"
        loading={action.busy}
        disabled={tool.trim() === ''}
      >
        {t('rules.test')}
      </Button>
      {action.error !== null && <ErrorAlert error={action.error} />}
      {explained && action.error === null && <Explanation explained={explained} />}
    </form>
  );
}

function Explanation({ explained }: { explained: Explained }) {
  const { t } = useTranslation();
  const { verdict, reason, reasonMessage, suggestedRules, problems } = explained;
  return (
    <>
      <Alert tone={tones[verdict]} role="status" title={t(`rules.verdict.${verdict}`)}>
        <p className="plain untrusted">{hostMessage(reasonMessage, reason)}</p>
        {verdict === 'ask' && suggestedRules.length > 0 && (
          <p className="plain">
            {t('rules.suggested')} <code className="untrusted">{suggestedRules.join(' · ')}</code>
          </p>
        )}
      </Alert>
      {problems.length > 0 && (
        <Alert tone="warn" title={t('rules.problems')}>
          <ul className="untrusted">
            {problems.map(({ list, line, message, hostMessage: text }) => (
              <li key={`${list}${line}`}>
                {t('rules.line', { list: t(`rules.${list}`), line })} {hostMessage(text, message)}
              </li>
            ))}
          </ul>
        </Alert>
      )}
    </>
  );
}

/**
 * Parses the arguments.
 * @throws PageError if they are not a JSON object
 */
function argumentsFor(tool: string, text: string): Record<string, unknown> {
  if (tool === commandTool) return { command: text };
  if (text.trim() === '') return {};
  const value = jsonObject(text);
  if (!value) throw new PageError('rules.noObject');
  return value;
}
