import { Button } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { MarketplacePlugin } from '../../../service/contract/index.ts';
import { Alert } from '../../ui/frame/alert.tsx';
import { useShell } from '../../state/shell.ts';

/** Lists the settings that a plugin needs before it can be used. */
export function MissingSettings({ plugin }: { plugin: MarketplacePlugin }) {
  const { t } = useTranslation();
  const { view } = useShell();
  const { id, missingConfig = [], userConfig = {} } = plugin;
  if (missingConfig.length === 0) return null;
  const names = missingConfig.map((key) => userConfig[key]?.title ?? key).join(', ');
  return (
    <div className="content-note">
      <Alert tone="warn" role="alert">
        <p className="plain untrusted">{t('config.needed', { names })}</p>
        <Button size="xs" variant="default" mt="xs" onClick={() => view.patch({ configure: id })}>
          {t('config.enter')}
        </Button>
      </Alert>
    </div>
  );
}
