import { createContext, useContext } from 'react';
import type { Client } from '../../service/client/index.ts';
import type { Settings } from '../../service/contract/index.ts';
import { afterPaint } from '../core/after-paint.ts';
import { Chats } from './chat/chats.ts';
import type { ModelConfigStore } from './chat/model-config-store.ts';
import { createModelConfigStore } from './chat/model-config-store.ts';
import type { FileRequestService } from './plugin-files/file-request-service.ts';
import { createFileRequestService } from './plugin-files/file-request-service.ts';
import type { TransferTools } from './plugin-files/transfer-tools.ts';
import type { CallLimiter } from '../core/call-limiter.ts';
import { createCallLimiter } from '../core/call-limiter.ts';
import type { Connection } from '../core/session/connection.ts';
import type { Session } from '../core/session/session.ts';
import type { Watched } from '../core/store.ts';
import type { Drafts } from './drafts.ts';
import type { McpStatusStore } from './mcp-status.ts';
import { createMcpStatusStore } from './mcp-status.ts';
import type { TaskStore } from './task-store.ts';
import { createTaskStore } from './task-store.ts';
import { NotificationFeed } from './notification-feed.ts';
import { createOpenPages } from './open-pages.ts';
import type { PluginIcons } from './plugin-icons.ts';
import { createPluginIcons } from './plugin-icons.ts';
import type { PluginList } from './plugin-list.ts';
import { createPluginList } from './plugin-list.ts';
import type { RouteStore } from './route.ts';
import { createRouteStore } from './route.ts';
import type { SettingsStore } from './settings-store.ts';
import { createSettingsStore } from './settings-store.ts';
import type { ViewStore } from './view.ts';
import { createViewStore } from './view.ts';

/** The state behind the frame, from the moment the service is usable until the page leaves it. */
export interface Shell {
  client: Client;
  connection: Connection;
  settings: SettingsStore;
  plugins: PluginList;
  icons: PluginIcons;
  notifications: NotificationFeed;
  chats: Chats;
  models: ModelConfigStore;
  mcp: McpStatusStore;
  tasks: TaskStore;
  route: RouteStore;
  view: ViewStore;
  drafts: Drafts;
  /** Ids of the plugins whose pages are loaded, see `createOpenPages`. */
  pages: Watched<readonly string[]>;
  callLimiter: CallLimiter;
  transfers: TransferTools;
  /** File requests of plugin pages. */
  files: FileRequestService;
  /** Aborts background work when the shell is closed. */
  closing: AbortSignal;
  close(): void;
}

/** Three of the six connections to a host are reserved for streams and the shell's own calls. */
const CALL_LIMITS = { total: 3, perOwner: 2 };

/** Returns the notification stream, whose frames also refresh other lists. */
function feedOf(client: Client, plugins: PluginList, mcp: McpStatusStore): NotificationFeed {
  return new NotificationFeed(client, {
    // A notification may report a crash, which the list then shows.
    onNew: () => plugins.refreshSoon(),
    onMcp: () => void mcp.refresh(),
    // Plugins may have been replaced while the stream was closed.
    onConnected: () => void plugins.refresh(),
    onReplaced: () => void plugins.refresh(),
  });
}

export function createShell(session: Session, settings: Settings): Shell {
  const { client, connection } = session;
  const closing = new AbortController();
  const settingsStore = createSettingsStore(client, settings);
  const plugins = createPluginList(client);
  const icons = createPluginIcons(client);
  const route = createRouteStore(window);
  const mcp = createMcpStatusStore(client);
  const notifications = feedOf(client, plugins, mcp);
  const models = createModelConfigStore(client);
  const tasks = createTaskStore(client);
  const chats = new Chats(client, (conversationId) => {
    const now = route.get();
    if (now.area === 'chat' && now.id === null) route.go({ area: 'chat', id: conversationId });
  });
  const read = [plugins, models, mcp, tasks];
  const refresh = () => {
    for (const one of read) void one.refresh();
    chats.refresh();
    settingsStore.refresh().catch(() => undefined);
    notifications.reconnectNow();
  };
  const stopWatching = connection.state.subscribe(() => {
    if (connection.state.get() === 'online') refresh();
  });
  window.addEventListener('focus', () => plugins.refreshSoon(), { signal: closing.signal });
  const pages = createOpenPages(route, plugins);
  void plugins.refresh();
  // Data that only the status bar shows may arrive a moment later.
  afterPaint(() => {
    if (closing.signal.aborted) return;
    for (const one of [models, mcp, tasks]) void one.refresh();
  });

  return {
    client,
    connection,
    settings: settingsStore,
    plugins,
    icons,
    notifications,
    chats,
    models,
    mcp,
    tasks,
    route,
    view: createViewStore(),
    drafts: new Map(),
    pages,
    callLimiter: createCallLimiter(CALL_LIMITS),
    transfers: transfersOf(session),
    files: createFileRequestService(),
    closing: closing.signal,
    close: () => {
      closing.abort();
      stopWatching();
      for (const one of [notifications, chats, plugins, icons, tasks, route]) one.close();
    },
  };
}

const transfersOf = (session: Session): TransferTools => ({
  client: session.client,
  uploading: (onSent) => session.uploading(onSent),
  limiter: createCallLimiter({ total: 1, perOwner: 1 }),
});

export const ShellContext = createContext<Shell | null>(null);

export function useShell(): Shell {
  const shell = useContext(ShellContext);
  if (!shell) throw new Error('useShell is used outside of the shell');
  return shell;
}
