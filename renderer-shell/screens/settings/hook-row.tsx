import { Button, Group, Switch } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { HookStatus, HookTest } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { Alert } from '../../ui/frame/alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useShell } from '../../state/shell.ts';
import { ageText, exactTime } from '../../core/messages/amounts.ts';
import type { Hook } from './hook-form.tsx';
import { HookForm, hookDraft } from './hook-form.tsx';
import { hostMessage } from '../../core/messages/host-message.ts';

interface HookRowProps {
  hook: Hook;
  last: HookStatus | undefined;
  /** Null removes the hook. */
  onChange: (hook: Hook | null) => Promise<unknown>;
}

/** Added to the time limit of the hook, in milliseconds. */
const marginMs = 30_000;

/** Shows one hook: what it does, its last result, and a test button. */
export function HookRow({ hook, last, onChange }: HookRowProps) {
  const { t } = useTranslation();
  const { client, drafts } = useShell();
  const [isEditing, setEditing] = useState(() => drafts.has(hookDraft(hook)));
  const [trial, setTrial] = useState<HookTest | null>(null);
  const action = useAction();
  const test = () =>
    action.run(async () => {
      const signal = AbortSignal.timeout(hook.timeoutSeconds * 1_000 + marginMs);
      setTrial(await client.call(api.hooks.test, { body: { hook }, signal }));
    });
  if (isEditing)
    return (
      <li>
        <HookForm hook={hook} onStore={onChange} onDone={() => setEditing(false)} />
      </li>
    );
  return (
    <li data-off={!hook.enabled}>
      <div className="settings-line">
        <p>
          <span className="untrusted">{hook.name}</span>
          <span className="running-more">
            {' · '}
            {t(`hookEvent.${hook.event}`)}
            {hook.matcher !== '' && ` · ${t('brought.tools', { matcher: hook.matcher })}`}
          </span>
        </p>
        <Switch
          aria-label={t('hooks.enabled', { name: hook.name })}
          checked={hook.enabled}
          onChange={(event) => {
            const enabled = event.currentTarget.checked;
            void action.run(() => onChange({ ...hook, enabled }));
          }}
        />
      </div>
      <code className="running-command untrusted">
        {hook.type === 'http' ? hook.url : hook.command}
      </code>
      <LastResult last={last} />
      <HookButtons
        name={hook.name}
        busy={action.busy}
        onTest={() => void test()}
        onEdit={() => setEditing(true)}
        onRemove={() => void action.run(() => onChange(null))}
      />
      {action.error !== null && <ErrorAlert error={action.error} />}
      {trial && action.error === null && <Trial trial={trial} />}
    </li>
  );
}

interface HookButtonsProps {
  name: string;
  busy: boolean;
  onTest: () => void;
  onEdit: () => void;
  onRemove: () => void;
}

function HookButtons({ name, busy, onTest, onEdit, onRemove }: HookButtonsProps) {
  const { t } = useTranslation();
  const buttonProps = { size: 'compact-xs', variant: 'default' } as const;
  return (
    <Group gap="xs" mt="xs">
      <Button {...buttonProps} loading={busy} onClick={onTest}>
        {t('hooks.test')}
      </Button>
      <Button {...buttonProps} onClick={onEdit}>
        {t('hooks.edit')}
      </Button>
      <Button
        {...buttonProps}
        className="danger-item"
        aria-label={t('hooks.removeOne', { name })}
        onClick={onRemove}
      >
        {t('hooks.remove')}
      </Button>
    </Group>
  );
}

/** Returns the reason of a decision, and the warning of a failed hook. */
const textsOf = ({
  reason,
  reasonMessage,
  warning,
  warningMessage,
}: HookStatus | HookTest): string[] => [
  ...(reason === undefined ? [] : [hostMessage(reasonMessage, reason)]),
  ...(warning === undefined ? [] : [hostMessage(warningMessage, warning)]),
];

function LastResult({ last }: { last: HookStatus | undefined }) {
  const { t, language } = useTranslation();
  const [nowMs] = useState(() => Date.now());
  if (!last) return <p className="running-more">{t('hooks.neverRan')}</p>;
  const { at, decision, tool, durationMs } = last;
  const parts = [
    t(`hooks.decision.${decision}`),
    tool,
    ...textsOf(last),
    t('hooks.took', { ms: Math.round(durationMs) }),
  ];
  return (
    <p className="running-more untrusted" title={exactTime(at, language)}>
      {t('hooks.last', { age: ageText(at, nowMs, language) })}{' '}
      {parts.filter((part) => part !== undefined && part !== '').join(' · ')}
    </p>
  );
}

function Trial({ trial }: { trial: HookTest }) {
  const { t } = useTranslation();
  const { decision, warning, exitCode, stdout, stderr, timedOut, durationMs } = trial;
  const isBad = warning !== undefined || timedOut;
  return (
    <div className="below">
      <Alert
        tone={isBad ? 'bad' : 'good'}
        role="status"
        title={`${t(`hooks.decision.${decision}`)} · ${t('hooks.took', { ms: Math.round(durationMs) })}`}
      >
        {textsOf(trial).map((text, index) => (
          <p key={index} className="plain untrusted">
            {text}
          </p>
        ))}
        {exitCode !== undefined && <p className="plain">{t('error.exit', { code: exitCode })}</p>}
      </Alert>
      {[stdout, stderr].map(
        (text, index) =>
          text !== '' && (
            <pre key={index} className="settings-output untrusted" tabIndex={0}>
              {text}
            </pre>
          ),
      )}
    </div>
  );
}
