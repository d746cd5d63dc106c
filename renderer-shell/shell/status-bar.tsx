import { IconAlertTriangle, IconCircleFilled, IconKeyboard } from '@tabler/icons-react';
import { useTranslation } from '../core/messages/use-translation.ts';
import { NotificationBell } from '../screens/notifications/notification-bell.tsx';
import { Toasts } from '../screens/notifications/toasts.tsx';
import { mcpNeedsAttention } from '../state/mcp-status.ts';
import { pluginNeedsAttention } from '../state/plugin-list.ts';
import { useShell } from '../state/shell.ts';
import { isUnderWay } from '../state/task-store.ts';
import { useStore } from '../core/store.ts';
import { IsolationStatus } from './isolation-status.tsx';
import { StatusText } from './status-text.tsx';

/** Shows the status of the host, plugins that need attention, and news. */
export function StatusBar() {
  const { t } = useTranslation();
  const { connection, view } = useShell();
  const online = useStore(connection.state) === 'online';
  return (
    <footer className="status" aria-label={t('status.label')}>
      <span className="status-item" data-tone={online ? 'good' : 'bad'} role="status">
        <IconCircleFilled size={9} aria-hidden />
        <StatusText text={t(online ? 'status.online' : 'status.offline')} />
      </span>
      <IsolationStatus />
      <PluginStatus />
      <ModelStatus />
      <McpStatus />
      <TaskStatus />
      <span className="status-gap" />
      <Toasts />
      <button
        type="button"
        className="status-item"
        onClick={() => view.patch({ dialog: 'shortcuts' })}
        aria-label={t('shortcuts.title')}
        title={t('shortcuts.title')}
      >
        <IconKeyboard size={15} aria-hidden />
      </button>
      <NotificationBell />
    </footer>
  );
}

function ModelStatus() {
  const { t } = useTranslation();
  const { models, route } = useShell();
  const config = useStore(models);
  if (config === null) return null;
  const { ready, activeMode } = config;
  return (
    <button
      type="button"
      className="status-item"
      data-tone={ready ? undefined : 'warn'}
      onClick={() => route.go({ area: 'settings', id: 'models' })}
    >
      {!ready && <IconAlertTriangle size={14} aria-hidden />}
      <span className="untrusted">
        {ready ? t('status.model', { name: config[activeMode].model }) : t('status.noModel')}
      </span>
    </button>
  );
}

/** Shows the number of background tasks. */
function TaskStatus() {
  const { t } = useTranslation();
  const { tasks, route } = useShell();
  const count = (useStore(tasks) ?? []).filter(isUnderWay).length;
  if (count === 0) return null;
  return (
    <button
      type="button"
      className="status-item"
      onClick={() => route.go({ area: 'agent', id: 'tasks' })}
    >
      <StatusText text={t('status.tasks', { count })} />
    </button>
  );
}

/** Shows how many of the enabled servers are connected. */
function McpStatus() {
  const { t } = useTranslation();
  const { mcp, route } = useShell();
  const status = useStore(mcp);
  const enabled = status?.connections.filter(({ state }) => state !== 'DISABLED') ?? [];
  if (status === null || enabled.length === 0) return null;
  const failing = enabled.find(mcpNeedsAttention);
  const { connected } = status;
  return (
    <button
      type="button"
      className="status-item"
      data-tone={failing ? 'warn' : undefined}
      onClick={() => route.go({ area: 'mcp', id: failing?.id ?? null })}
    >
      {failing && <IconAlertTriangle size={14} aria-hidden />}
      <StatusText
        text={t('status.mcp', { connected, total: enabled.length })}
        more={t(failing ? 'status.mcpTroubled' : 'status.mcpAll')}
      />
    </button>
  );
}

function PluginStatus() {
  const { t } = useTranslation();
  const { plugins, route } = useShell();
  const state = useStore(plugins.state);
  if (state.kind !== 'ready' || state.plugins.length === 0) return null;
  const failing = state.plugins.filter(pluginNeedsAttention);
  const [first] = failing;
  const enabled = state.plugins.filter((plugin) => plugin.enabled).length;
  return (
    <button
      type="button"
      className="status-item"
      data-tone={first ? 'warn' : undefined}
      onClick={() => route.go({ area: 'plugins', id: first?.id ?? null })}
    >
      {first && <IconAlertTriangle size={14} aria-hidden />}
      <StatusText
        text={
          first
            ? t('status.troubled', { count: failing.length })
            : t('status.plugins', { enabled, total: state.plugins.length })
        }
      />
    </button>
  );
}
