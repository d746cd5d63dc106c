import { useMediaQuery } from '@mantine/hooks';
import { useEffect } from 'react';
import { FileDialog } from '../plugin-files/file-dialog.tsx';
import { InstallDialog } from '../screens/plugins/install-dialog.tsx';
import {
  agentScreen,
  chatScreen,
  flowsScreen,
  mcpScreen,
  prepareScreens,
  settingsScreen,
  storeScreen,
} from '../screens/lazy-screens.ts';
import { PluginScreen } from '../screens/plugins/plugin-screen.tsx';
import { UninstallDialog } from '../screens/plugins/uninstall-dialog.tsx';
import { useShell } from '../state/shell.ts';
import { useStore } from '../store.ts';
import { ActivityBar } from './activity-bar.tsx';
import { DropTarget } from './drop-target.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { Palette } from './palette.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { StatusBar } from './status-bar.tsx';
import { useShellKeys } from './use-shell-keys.ts';

/** The window: activity bar, list, content, details, status bar, and what opens above them. */
export function ShellFrame() {
  const shell = useShell();
  const route = useStore(shell.route);
  const { area } = route;
  const narrow = useMediaQuery('(max-width: 899px)', false, { getInitialValueInEffect: false });
  useShellKeys(shell);
  useEffect(prepareScreens, []);
  return (
    <div className="shell">
      <OfflineBanner />
      <div className="shell-row">
        <ActivityBar />
        {/* Plugin pages stay alive behind another area, so the screen is hidden and not removed. */}
        <PluginScreen hidden={area !== 'plugins'} narrow={narrow} />
        {route.area === 'chat' && <chatScreen.Screen conversationId={route.id} narrow={narrow} />}
        {area === 'agent' && <agentScreen.Screen id={route.id} narrow={narrow} />}
        {area === 'mcp' && <mcpScreen.Screen serverId={route.id} narrow={narrow} />}
        {area === 'store' && <storeScreen.Screen id={route.id} narrow={narrow} />}
        {area === 'flows' && <flowsScreen.Screen workflowId={route.id} narrow={narrow} />}
        {area === 'settings' && <settingsScreen.Screen section={route.id} narrow={narrow} />}
      </div>
      <StatusBar />
      <Palette />
      <ShortcutsDialog />
      <InstallDialog />
      <UninstallDialog />
      <FileDialog />
      <DropTarget />
    </div>
  );
}
