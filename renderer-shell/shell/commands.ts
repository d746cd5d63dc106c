import { languageName } from '../core/messages/language-name.ts';
import { otherLanguages } from '../../service/messages/languages.ts';
import { areaKeys, areas } from './areas.ts';
import { keysOf } from './shortcuts.ts';
import type { Command } from '../state/command.ts';
import { chooseInstall } from '../state/choose-install.ts';
import { hasPage } from '../state/plugin-list.ts';
import type { Shell } from '../state/shell.ts';

/** Returns the available commands. */
export function commandsOf(shell: Shell): Command[] {
  const { notifications, route, settings, view } = shell;
  const now = settings.get();
  const change = (patch: Parameters<typeof settings.change>[0]) => () =>
    void settings.change(patch).catch(() => undefined);
  const otherTheme = now.theme === 'dark' ? 'light' : 'dark';
  return [
    ...areas.map(({ area, route: target }, index) => ({
      id: area,
      label: `command.${area}`,
      keys: areaKeys(index),
      run: () => route.go(target),
    })),
    {
      id: 'settings',
      label: 'command.settings',
      keys: keysOf('shortcuts.settings'),
      run: () => route.go({ area: 'settings', id: null }),
    },
    { id: 'install', label: 'command.install', run: () => void chooseInstall(view) },
    {
      id: 'notifications',
      label: 'command.notifications',
      run: () => view.patch({ notificationsOpen: true }),
    },
    {
      id: 'notifications-read',
      label: 'command.notificationsRead',
      run: () => void notifications.markAllRead().catch(() => undefined),
    },
    { id: 'theme', label: `command.theme.${otherTheme}`, run: change({ theme: otherTheme }) },
    ...otherLanguages(now.language).map((language) => ({
      id: `language ${language}`,
      label: 'command.language',
      values: { name: languageName(language) },
      run: change({ language }),
    })),
    {
      id: 'labels',
      label: now.sidebarCollapsed ? 'command.showLabels' : 'command.hideLabels',
      run: change({ sidebarCollapsed: !now.sidebarCollapsed }),
    },
    {
      id: 'find',
      label: 'shortcuts.find',
      keys: keysOf('shortcuts.find'),
      run: () => view.patch({ finding: true }),
    },
    {
      id: 'shortcuts',
      label: 'command.shortcuts',
      keys: keysOf('shortcuts.this'),
      run: () => view.patch({ dialog: 'shortcuts' }),
    },
    ...agentCommands(shell),
    ...mcpCommands(shell),
    ...storeCommands(shell),
    ...pluginCommands(shell),
  ];
}

function agentCommands({ route }: Shell): Command[] {
  const open = (id: string) => () => route.go({ area: 'agent', id });
  return [
    { id: 'agent-tasks', label: 'command.agentTasks', run: open('tasks') },
    { id: 'agent-schedules', label: 'command.agentSchedules', run: open('schedules') },
  ];
}

function mcpCommands({ mcp, route }: Shell): Command[] {
  const open = (id: string) => () => route.go({ area: 'mcp', id });
  const servers = mcp.get()?.connections ?? [];
  return [
    { id: 'mcp-add', label: 'command.mcpAdd', run: open('new') },
    { id: 'mcp-import', label: 'command.mcpImport', run: open('import') },
    ...servers.map(({ id, name }) => ({
      id: `mcp:${id}`,
      label: 'command.mcpOpen',
      values: { name },
      run: open(id),
    })),
  ];
}

function storeCommands(shell: Shell): Command[] {
  const { route } = shell;
  const check = () => {
    route.go({ area: 'store', id: '~updates' });
    // On failure the screen shows the error, because it loads the same module.
    void import('../state/market/market.ts').then(
      ({ marketOf }) => marketOf(shell).check(),
      () => undefined,
    );
  };
  const sources = () => route.go({ area: 'store', id: '~sources' });
  return [
    { id: 'store-check', label: 'command.storeCheck', run: check },
    { id: 'store-add', label: 'command.storeAdd', run: sources },
  ];
}

function pluginCommands({ plugins, route, view }: Shell): Command[] {
  const state = plugins.state.get();
  const now = route.get();
  const current = now.area === 'plugins' && now.id ? plugins.find(now.id) : undefined;
  const all = state.kind === 'ready' ? state.plugins : [];
  return [
    ...(current && hasPage(current)
      ? [
          {
            id: 'logs',
            label: 'command.logs',
            values: { name: current.name },
            run: () => view.patch({ logsOpen: true }),
          },
        ]
      : []),
    ...all.map(({ id, name }) => ({
      id: `open:${id}`,
      label: 'command.open',
      values: { name },
      run: () => route.go({ area: 'plugins', id }),
    })),
  ];
}
