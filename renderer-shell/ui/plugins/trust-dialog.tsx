import { Button, Group, Modal, ScrollArea, Stack, Text } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { MarketplacePlugin, PluginTrust } from '../../../service/contract/index.ts';
import { Alert } from '../frame/alert.tsx';
import { RunningParts } from './running-parts.tsx';

interface TrustDialogProps {
  plugin: MarketplacePlugin;
  trust: PluginTrust;
  opened: boolean;
  onTrust: () => Promise<unknown>;
  onClose: () => void;
}

/** Explains the consequences of trusting a plugin, and asks for confirmation. */
export function TrustDialog({ plugin, trust, opened, onTrust, onClose }: TrustDialogProps) {
  const { t } = useTranslation();
  const confirm = async () => {
    onClose();
    await onTrust();
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      title={<span className="untrusted">{t('trust.title', { name: plugin.name })}</span>}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Stack gap="md">
        <Alert tone="warn">{t('trust.meaning')}</Alert>
        <Text size="sm" c="dimmed">
          {t('trust.bound')}
        </Text>
        <ScrollArea.Autosize mah="40vh" type="auto">
          <RunningParts trust={trust} />
        </ScrollArea.Autosize>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('action.cancel')}
          </Button>
          <Button color="red.9" onClick={() => void confirm()}>
            {t('trust.agree')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
