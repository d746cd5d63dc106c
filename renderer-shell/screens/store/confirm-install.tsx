import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { Alert } from '../../ui/frame/alert.tsx';
import { sourceNameOf } from '../../state/market/source-name.ts';
import type { Market } from '../../state/market/market.ts';
import type { Question } from '../../state/market/question.ts';
import { confirmationDetails } from '../../state/market/question.ts';
import { useStore } from '../../core/store.ts';
import { PermissionList } from '../../ui/plugins/permission-list.tsx';

/** Asks for confirmation of new permissions or an older version before an installation. */
export function ConfirmInstall({ market }: { market: Market }) {
  const { t } = useTranslation();
  const question = useStore(market.question);
  const name = question?.plugin.name ?? '';
  return (
    <Modal
      opened={question !== null}
      onClose={() => market.answer(false)}
      title={
        <span className="untrusted">
          {t(`store.confirm.${question?.kind ?? 'install'}`, { name })}
        </span>
      }
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      {question && <ConfirmBody market={market} question={question} />}
    </Modal>
  );
}

function ConfirmBody({ market, question }: { market: Market; question: Question }) {
  const { t } = useTranslation();
  const { version, installed, comparison, permissions, added } = confirmationDetails(question);
  return (
    <Stack gap="md">
      <Text size="sm" className="untrusted">
        {t('store.comesFrom', {
          source: sourceNameOf(question.plugin, t) ?? t('store.noSource'),
        })}
      </Text>
      {added.length > 0 && (
        <Alert tone="warn">{t('store.asksMore', { count: added.length })}</Alert>
      )}
      {comparison !== null && version !== '' && (
        <Alert tone={comparison === 'upgrade' ? 'accent' : 'warn'}>
          <span className="untrusted">
            {t(`install.comparison.${comparison}`, { version, installed })}
          </span>
        </Alert>
      )}
      <PermissionList permissions={permissions} added={added} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => market.answer(false)} data-autofocus>
          {t('action.cancel')}
        </Button>
        <Button onClick={() => market.answer(true)}>
          {version === '' && comparison !== null
            ? t('store.update')
            : t(`install.action.${comparison ?? 'new'}`, { version })}
        </Button>
      </Group>
    </Stack>
  );
}
