import { lazyScreen } from '../frame/lazy-screen.tsx';

// What renders answers is large, and not all come for the chat.
export const chatScreen = lazyScreen(
  async () => (await import('./chat/chat-screen.tsx')).ChatScreen,
);

export const mcpScreen = lazyScreen(async () => (await import('./mcp/mcp-screen.tsx')).McpScreen);

export const agentScreen = lazyScreen(
  async () => (await import('./agent/agent-screen.tsx')).AgentScreen,
);

export const storeScreen = lazyScreen(
  async () => (await import('./store/store-screen.tsx')).StoreScreen,
);

export const flowsScreen = lazyScreen(
  async () => (await import('./flows/flows-screen.tsx')).FlowsScreen,
);

export const settingsScreen = lazyScreen(
  async () => (await import('./settings/settings-screen.tsx')).SettingsScreen,
);

/** Seen once in the life of an installation. */
export const setupWizard = lazyScreen(
  async () => (await import('./setup/setup-wizard.tsx')).SetupWizard,
);

const idleLimitMs = 5_000;

/** Reads what may be opened next once the page has nothing to do; the host may be away when it is. */
export function prepareScreens(): () => void {
  const wanted = requestIdleCallback(
    () => {
      chatScreen.prepare();
      agentScreen.prepare();
      settingsScreen.prepare();
      mcpScreen.prepare();
    },
    { timeout: idleLimitMs },
  );
  return () => cancelIdleCallback(wanted);
}
