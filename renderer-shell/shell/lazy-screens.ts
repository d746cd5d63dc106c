import { lazyDialog } from '../ui/frame/lazy-dialog.tsx';
import { lazyScreen } from '../ui/frame/lazy-screen.tsx';
import type { Area } from '../state/address.ts';

// The renderer of answers is large, and not everybody opens the chat.
export const chatScreen = lazyScreen(
  async () => (await import('../screens/chat/chat-screen.tsx')).ChatScreen,
);

export const mcpScreen = lazyScreen(
  async () => (await import('../screens/mcp/mcp-screen.tsx')).McpScreen,
);

export const agentScreen = lazyScreen(
  async () => (await import('../screens/agent/agent-screen.tsx')).AgentScreen,
);

export const pluginScreen = lazyScreen(
  async () => (await import('../screens/plugins/plugin-screen.tsx')).PluginScreen,
);

export const storeScreen = lazyScreen(
  async () => (await import('../screens/store/store-screen.tsx')).StoreScreen,
);

export const workflowsScreen = lazyScreen(
  async () => (await import('../screens/workflows/workflows-screen.tsx')).WorkflowsScreen,
);

export const settingsScreen = lazyScreen(
  async () => (await import('../screens/settings/settings-screen.tsx')).SettingsScreen,
);

/** Used once per installation. */
export const setupWizard = lazyScreen(
  async () => (await import('../screens/setup/setup-wizard.tsx')).SetupWizard,
);

export const tokenPage = lazyScreen(
  async () => (await import('../screens/start/token-page.tsx')).TokenPage,
);

export const paletteDialog = lazyDialog(async () => (await import('./palette.tsx')).Palette);

export const findBar = lazyDialog(async () => (await import('./find-bar.tsx')).FindBar);

export const shortcutsDialog = lazyDialog(
  async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog,
);

export const installDialog = lazyDialog(
  async () => (await import('../screens/plugins/install-dialog.tsx')).InstallDialog,
);

export const uninstallDialog = lazyDialog(
  async () => (await import('../screens/plugins/uninstall-dialog.tsx')).UninstallDialog,
);

export const configDialog = lazyDialog(
  async () => (await import('../screens/plugins/config-dialog.tsx')).ConfigDialog,
);

export const fileDialog = lazyDialog(
  async () => (await import('../ui/plugin-files/file-dialog.tsx')).FileDialog,
);

const screens = {
  chat: chatScreen,
  agent: agentScreen,
  flows: workflowsScreen,
  plugins: pluginScreen,
  store: storeScreen,
  mcp: mcpScreen,
  settings: settingsScreen,
} satisfies Record<Area, { prepare: () => Promise<void> }>;

/** Loads the first screen, while the page still finds out whether it may show it. */
export const prepareScreen = (area: Area): Promise<void> => screens[area].prepare();

const idleLimitMs = 5_000;

/**
 * Loads the other screens once the page is idle, since the host may be away when they are opened.
 */
export function prepareScreens(): () => void {
  const request = requestIdleCallback(
    () => {
      paletteDialog.prepare();
      void pluginScreen.prepare();
      for (const dialog of [shortcutsDialog, installDialog, uninstallDialog, fileDialog])
        dialog.prepare();
      for (const screen of [chatScreen, agentScreen, settingsScreen, mcpScreen, tokenPage])
        void screen.prepare();
    },
    { timeout: idleLimitMs },
  );
  return () => cancelIdleCallback(request);
}
