import { Button } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';

/** Lists permanent approvals, each with a button to revoke it. */
export function SavedApprovals() {
  const { t } = useTranslation();
  const { settings } = useShell();
  const { permissionRules } = useStore(settings);
  const action = useAction();
  const lines = permissionRules.allow.split('\n');
  const saved = lines
    .map((line, index) => ({ rule: line.trim(), index }))
    .filter(({ rule }) => rule !== '' && !rule.startsWith('#'));
  const revoke = (index: number) =>
    action.run(() =>
      settings.change({
        permissionRules: { allow: lines.filter((_, at) => at !== index).join('\n') },
      }),
    );
  return (
    <section aria-label={t('approvals.title')}>
      <h3>{t('approvals.title')}</h3>
      <p className="plain setting-text">
        {t(saved.length === 0 ? 'approvals.none' : 'approvals.text')}
      </p>
      {action.error !== null && <ErrorAlert error={action.error} />}
      <ul className="running-parts">
        {saved.map(({ rule, index }) => (
          <li key={index} className="settings-line">
            <code className="untrusted">{rule}</code>
            <Button
              size="compact-xs"
              variant="default"
              disabled={action.busy}
              aria-label={t('approvals.revokeOne', { rule })}
              onClick={() => void revoke(index)}
            >
              {t('approvals.revoke')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
