import { ActionIcon, Button, Group, Modal, Stack, Switch, Text, Tooltip } from '@mantine/core';
import { IconRefresh, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { localizeSourceName } from '../../state/market/source-name.ts';
import type { CatalogWarning, PluginStoreSource } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { Alert, Tag } from '../../ui/frame/alert.tsx';
import type { Action } from '../../ui/frame/use-action.ts';
import { useAction } from '../../ui/frame/use-action.ts';
import type { Market } from '../../state/market/market.ts';
import { useStore } from '../../core/store.ts';
import { ageText, exactTime } from '../../core/messages/amounts.ts';
import { hostMessage } from '../../core/messages/host-message.ts';
import { FailureText } from '../../ui/frame/failure-text.tsx';

interface SourceLineProps {
  market: Market;
  source: PluginStoreSource;
}

/** Shows one source: its type, the result of its last reading, and its actions. */
export function SourceLine({ market, source }: SourceLineProps) {
  const { t } = useTranslation();
  const action = useAction();
  const { name, kind, url, ref, enabled, error, warnings } = source;
  // Before the first reading its type is a guess.
  const isKindKnown = source.builtIn || source.lastRefreshedAt !== null;
  return (
    <li className="store-line" data-off={!enabled}>
      <div className="store-line-head">
        <div className="row-text">
          <p className="store-source-name">
            <span className="untrusted">{localizeSourceName(name, t)}</span>{' '}
            {isKindKnown && <Tag>{t(`store.kinds.${kind}`)}</Tag>}
            {source.builtIn && <Tag>{t('store.builtIn')}</Tag>}
          </p>
          <p className="running-more untrusted">
            {url}
            {ref !== undefined && ` · ${ref}`}
          </p>
          <p className="running-more">
            {t('store.count', { count: source.pluginCount })} · <LastRead source={source} />
          </p>
        </div>
        <SourceButtons market={market} source={source} action={action} />
      </div>
      {error !== undefined && (
        <Alert tone="warn" title={t(isKindKnown ? 'store.unread' : 'store.unreadYet')}>
          <FailureText text={error} message={source.errorMessage} />
        </Alert>
      )}
      {action.error !== null && <ErrorAlert error={action.error} />}
      {warnings.length > 0 && (
        <details className="store-warnings">
          <summary>{t('store.warnings', { count: warnings.length })}</summary>
          <ul className="untrusted">
            {warnings.slice(0, 100).map((warning, index) => (
              <li key={index}>{warningText(warning)}</li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

function warningText({ entry, entryMessage, reason, reasonMessage }: CatalogWarning): string {
  const text = hostMessage(reasonMessage, reason);
  return entry === '' ? text : `${hostMessage(entryMessage, entry)}: ${text}`;
}

function LastRead({ source: { builtIn, lastRefreshedAt } }: { source: PluginStoreSource }) {
  const { t, language } = useTranslation();
  const [now] = useState(() => Date.now());
  if (lastRefreshedAt === null)
    return <span>{t(builtIn ? 'store.ships' : 'store.neverRead')}</span>;
  return (
    <time dateTime={lastRefreshedAt} title={exactTime(lastRefreshedAt, language)}>
      {t('store.lastRead', { age: ageText(lastRefreshedAt, now, language) })}
    </time>
  );
}

function SourceButtons({ market, source, action }: SourceLineProps & { action: Action }) {
  const { t } = useTranslation();
  const { listing } = market;
  const [removing, setRemoving] = useState(false);
  const { checking } = useStore(listing.state);
  const { id, enabled, builtIn } = source;
  const name = localizeSourceName(source.name, t);
  const remove = () => {
    setRemoving(false);
    void action.run(() => listing.remove(id));
  };
  return (
    <Group gap="xs" wrap="nowrap">
      <Switch
        size="sm"
        checked={enabled}
        disabled={action.busy}
        aria-label={t('store.useOf', { name })}
        onChange={() => void action.run(() => listing.setEnabled(id, !enabled))}
      />
      <Tooltip label={t('store.read')}>
        <ActionIcon
          variant="default"
          size={30}
          aria-label={t('store.actionOf', { action: t('store.read'), name })}
          loading={checking.has(id)}
          onClick={() => void market.check([id])}
        >
          <IconRefresh size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {!builtIn && (
        <Tooltip label={t('store.remove')}>
          <ActionIcon
            variant="default"
            size={30}
            aria-label={t('store.actionOf', { action: t('store.remove'), name })}
            onClick={() => setRemoving(true)}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      <RemoveSource
        market={market}
        source={source}
        opened={removing}
        onRemove={remove}
        onClose={() => setRemoving(false)}
      />
    </Group>
  );
}

interface RemoveSourceProps extends SourceLineProps {
  opened: boolean;
  onRemove: () => void;
  onClose: () => void;
}

/** Says what is removed and what stays, and asks for confirmation. */
function RemoveSource({ market, source, opened, onRemove, onClose }: RemoveSourceProps) {
  const { t } = useTranslation();
  const { items } = useStore(market.listing.state);
  const of = (items ?? []).filter(({ sourceId }) => sourceId === source.id);
  const installed = of.filter((item) => item.installed).length;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={
        <span className="untrusted">
          {t('store.removeTitle', { name: localizeSourceName(source.name, t) })}
        </span>
      }
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Stack gap="md">
        <Text size="sm">
          {t('store.removeGoes', { count: of.length - installed })}{' '}
          {installed > 0 && t('store.removeStays', { count: installed })}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('action.cancel')}
          </Button>
          <Button color="red.9" onClick={onRemove}>
            {t('store.removeAgree')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
