import { Button, Group } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { McpServerView } from '../../../service/contract/index.ts';
import { Alert } from '../../ui/frame/alert.tsx';
import { useShell } from '../../state/shell.ts';
import { toneOfState } from './server-state.tsx';
import type { ServerActions } from './use-server-actions.ts';
import { FailureText } from '../../ui/frame/failure-text.tsx';

interface ServerNotesProps {
  server: McpServerView;
  actions: ServerActions;
  onEdit: () => void;
}

/** Shows the status of the server with its actions, and its origin. */
export function ServerAlerts({ server, actions, onEdit }: ServerNotesProps) {
  const { t } = useTranslation();
  const { outcome } = actions;
  const { state, tools } = server;
  const isGood = outcome?.view.state === 'CONNECTED' && state === 'CONNECTED';
  return (
    <>
      {outcome && isGood && (
        <Alert tone="good" role="status" title={t('mcp.testGood', { ms: outcome.ms })}>
          <p className="plain">{t('mcp.toolCount', { count: tools.length })}</p>
        </Alert>
      )}
      <ServerProblem server={server} actions={actions} onEdit={onEdit} />
      {server.builtIn && <Origin server={server} />}
    </>
  );
}

const visibleStates = ['FAILED', 'DEGRADED', 'NEEDS_AUTH', 'DISABLED'];

function ServerProblem({ server, actions, onEdit }: ServerNotesProps) {
  const { t } = useTranslation();
  const { view } = useShell();
  const { state, error, errorMessage, builtIn } = server;
  const isPartial = state === 'CONNECTED' && error !== undefined;
  if (isPartial) {
    return (
      <Alert tone="warn" title={t('mcp.partial')}>
        <FailureText text={error} message={errorMessage} />
      </Alert>
    );
  }
  if (!visibleStates.includes(state)) return null;
  const title = actions.outcome ? t('mcp.testBad') : t(`mcpTrouble.${state}`);
  return (
    <Alert tone={toneOfState(state) ?? 'accent'} role="alert" title={title}>
      {error !== undefined && <FailureText text={error} message={errorMessage} />}
      <p className="plain">{t(`mcpAdvice.${state}`)}</p>
      {state !== 'DISABLED' && (
        <Group gap="xs" mt="xs">
          {!builtIn && (
            <Button size="xs" variant="default" onClick={onEdit}>
              {t('mcp.edit')}
            </Button>
          )}
          <Button size="xs" variant="subtle" onClick={() => view.patch({ logsOpen: true })}>
            {t('plugin.logs')}
          </Button>
        </Group>
      )}
    </Alert>
  );
}

/** For a server that cannot be changed here, links to the plugin that adds it. */
function Origin({ server: { pluginId } }: { server: McpServerView }) {
  const { t } = useTranslation();
  const { plugins, route } = useShell();
  if (pluginId === undefined) return <Alert tone="accent">{t('mcp.fromFile')}</Alert>;
  const name = plugins.find(pluginId)?.name ?? pluginId;
  return (
    <Alert tone="accent">
      <p className="plain untrusted">{t('mcp.fromPlugin', { name })}</p>
      <Button
        size="xs"
        variant="default"
        mt="xs"
        onClick={() => route.go({ area: 'plugins', id: pluginId })}
      >
        {t('mcp.showPlugin')}
      </Button>
    </Alert>
  );
}
