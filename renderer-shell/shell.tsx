import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { visibleRequest } from './state/plugin-files/file-request-service.ts';
import {
  agentScreen,
  chatScreen,
  fileDialog,
  findBar,
  workflowsScreen,
  installDialog,
  mcpScreen,
  paletteDialog,
  pluginScreen,
  prepareScreens,
  settingsScreen,
  shortcutsDialog,
  storeScreen,
  uninstallDialog,
  configDialog,
} from './shell/lazy-screens.ts';
import { useShell } from './state/shell.ts';
import { useStore } from './core/store.ts';
import { ActivityBar } from './shell/activity-bar.tsx';
import { DropTarget } from './ui/frame/drop-target.tsx';
import { OfflineBanner } from './shell/offline-banner.tsx';
import { StatusBar } from './shell/status-bar.tsx';
import { useShellKeys } from './shell/use-shell-keys.ts';
import { useWindowTitle } from './ui/frame/window-title.ts';

/** Lays out the window: activity bar, list, content, details, status bar, and dialogs. */
export function ShellFrame() {
  const shell = useShell();
  const route = useStore(shell.route);
  const { area } = route;
  const narrow = useMediaQuery('(max-width: 899px)', false, { getInitialValueInEffect: false });
  useShellKeys(shell);
  useWindowTitle(shell);
  useEffect(prepareScreens, []);
  return (
    <div className="shell">
      <OfflineBanner />
      <div className="shell-row">
        <ActivityBar />
        <Plugins hidden={area !== 'plugins'} narrow={narrow} />
        {route.area === 'chat' && <chatScreen.Screen conversationId={route.id} narrow={narrow} />}
        {area === 'agent' && <agentScreen.Screen id={route.id} narrow={narrow} />}
        {area === 'mcp' && <mcpScreen.Screen serverId={route.id} narrow={narrow} />}
        {area === 'store' && <storeScreen.Screen id={route.id} narrow={narrow} />}
        {area === 'flows' && <workflowsScreen.Screen workflowId={route.id} narrow={narrow} />}
        {area === 'settings' && <settingsScreen.Screen section={route.id} narrow={narrow} />}
      </div>
      <StatusBar />
      <Dialogs />
      <DropTarget />
    </div>
  );
}

/** Plugin pages stay loaded behind other areas, so the screen is hidden instead of removed. */
function Plugins({ hidden, narrow }: { hidden: boolean; narrow: boolean }) {
  const [seen, setSeen] = useState(!hidden);
  if (!hidden && !seen) setSeen(true);
  return seen && <pluginScreen.Screen hidden={hidden} narrow={narrow} />;
}

function Dialogs() {
  const { files, route, view } = useShell();
  const { dialog, finding, install, uninstall, configure } = useStore(view);
  const fileRequest = visibleRequest(useStore(files.requests), useStore(route));
  return (
    <>
      <paletteDialog.Dialog opened={dialog === 'palette'} />
      <shortcutsDialog.Dialog opened={dialog === 'shortcuts'} />
      <findBar.Dialog opened={finding} />
      <installDialog.Dialog opened={install !== null} />
      <uninstallDialog.Dialog opened={uninstall !== null} />
      <configDialog.Dialog opened={configure !== null} />
      <fileDialog.Dialog opened={fileRequest !== undefined} />
    </>
  );
}
