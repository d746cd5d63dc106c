import '../../core/messages/plugin-translations.ts';
import { Button, Loader, Modal, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { api } from '../../../service/contract/index.ts';
import type { DialogProps } from '../../ui/frame/lazy-dialog.tsx';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { hasPage } from '../../state/plugin-list.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { sizeText } from '../../core/messages/amounts.ts';

/** Asks whether to keep the data of a plugin before it is uninstalled. */
export function UninstallDialog({ opened }: DialogProps) {
  const { t } = useTranslation();
  const { plugins, view } = useShell();
  const { uninstall } = useStore(view);
  const name = uninstall === null ? '' : (plugins.find(uninstall)?.name ?? uninstall);
  return (
    <Modal
      opened={opened}
      onClose={() => view.patch({ uninstall: null })}
      title={<span className="untrusted">{t('uninstall.title', { name })}</span>}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      {uninstall !== null && <UninstallBody id={uninstall} />}
    </Modal>
  );
}

/** Returns the size in bytes; undefined while loading, null if it cannot be determined. */
function useDataSize(id: string): number | null | undefined {
  const { client } = useShell();
  const [size, setSize] = useState<number | null | undefined>(undefined);
  useEffect(() => {
    let current = true;
    client.call(api.plugins.show, { params: { id } }).then(
      ({ dataSizeBytes }) => current && setSize(dataSizeBytes ?? null),
      () => current && setSize(null),
    );
    return () => {
      current = false;
    };
  }, [client, id]);
  return size;
}

function UninstallBody({ id }: { id: string }) {
  const { t, language } = useTranslation();
  const { plugins, route, view } = useShell();
  const action = useAction();
  const size = useDataSize(id);
  const plugin = plugins.find(id);
  const goes = t(plugin && !hasPage(plugin) ? 'uninstall.brought' : 'uninstall.page');
  const close = () => view.patch({ uninstall: null });

  const uninstall = async (deleteData: boolean) => {
    if (!(await action.run(() => plugins.uninstall(id, deleteData)))) return;
    close();
    // In another area, the page of the removed plugin is not visible.
    if (route.get().area === 'plugins') route.go({ area: 'plugins', id: null });
  };

  if (size === undefined) return <Loader size="sm" className="late" />;
  const remove =
    size === null
      ? t('uninstall.deleteUnknown')
      : t('uninstall.delete', { size: sizeText(size, language) });
  return (
    <Stack gap="md">
      <Text size="sm">
        {goes} {t(size === 0 ? 'uninstall.noData' : 'uninstall.text')}
      </Text>
      {action.error !== null && <ErrorAlert error={action.error} />}
      <Stack gap="xs">
        <Button
          color={size === 0 ? 'red.9' : undefined}
          disabled={action.busy}
          onClick={() => void uninstall(size === 0)}
        >
          {t(size === 0 ? 'uninstall.confirm' : 'uninstall.keep')}
        </Button>
        {size !== 0 && (
          <Button color="red.9" disabled={action.busy} onClick={() => void uninstall(true)}>
            {remove}
          </Button>
        )}
        <Button variant="default" onClick={close} data-autofocus>
          {t('action.cancel')}
        </Button>
      </Stack>
    </Stack>
  );
}
