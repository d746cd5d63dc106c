import { Button, Group } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { MarketplacePlugin } from '../../../service/contract/index.ts';
import { Alert } from '../../ui/frame/alert.tsx';
import type { Action } from '../../ui/frame/use-action.ts';
import { useShell } from '../../state/shell.ts';
import { FailureText } from '../../ui/frame/failure-text.tsx';

interface PluginProblemProps {
  plugin: MarketplacePlugin;
  action: Action;
}

/** Explains why a plugin cannot work, with an action that solves it. */
export function PluginProblem({ plugin, action }: PluginProblemProps) {
  const { t } = useTranslation();
  const { plugins, route, view } = useShell();
  const isRefused = plugin.state === 'sandbox_unavailable';
  const again = async () => {
    await plugins.setEnabled(plugin.id, true);
    plugins.reload(plugin.id);
  };
  return (
    <div className="content-note">
      <Alert tone="bad" role="alert" title={t(`state.${plugin.state}`)}>
        <FailureText
          text={plugin.stateReason ?? t(`trouble.${plugin.state}`)}
          message={plugin.stateReasonMessage}
        />
        <Group gap="xs" mt="xs">
          <Button
            size="xs"
            variant="default"
            loading={action.busy}
            onClick={() => void action.run(again)}
          >
            {t(plugin.state === 'quarantined' ? 'plugin.enableAgain' : 'action.retry')}
          </Button>
          {isRefused ? (
            <Button
              size="xs"
              variant="subtle"
              onClick={() => route.go({ area: 'settings', id: 'plugins' })}
            >
              {t('trouble.openSetting')}
            </Button>
          ) : (
            <Button size="xs" variant="subtle" onClick={() => view.patch({ logsOpen: true })}>
              {t('plugin.logs')}
            </Button>
          )}
        </Group>
      </Alert>
    </div>
  );
}
