import type {
  AiConfig,
  DatabaseForm,
  FileRef,
  HookStatus,
  InvokeReply,
  IsolationReport,
  MarketplacePlugin,
  Notification,
  PluginConfig,
  PackageInspection,
  PluginLogEvent,
  PluginTrust,
  Settings,
  SetupStatus,
} from '../../service/contract/index.ts';
import { PluginManifest, StoredAiConfig, WritableSettings } from '../../service/contract/index.ts';

/** The data of the fake service. Tests change it directly. */
export interface FakeHost {
  token: string;
  /** Unused one-time tickets. */
  webTickets: Set<string>;
  setup: SetupStatus;
  forms: DatabaseForm[];
  settings: Settings;
  plugins: Map<string, MarketplacePlugin>;
  dataSizeBytes: Map<string, number>;
  /** Files of plugin pages: `<id>/<file>` to text. */
  pages: Map<string, string>;
  logs: Map<string, PluginLogEvent[]>;
  notifications: Notification[];
  /** The content of the package with that file name, or the problem it is refused with. */
  packages: Map<string, PackageInspection | FakeProblem>;
  isolation: IsolationReport;
  aiConfig: AiConfig;
  trust: Map<string, PluginTrust>;
  /** Settings that plugins ask for once they are installed, by plugin id. */
  requiredSettings: Map<string, Pick<MarketplacePlugin, 'userConfig' | 'missingConfig'>>;
  /** The settings of plugins, by plugin id. */
  configs: Map<string, PluginConfig>;
  /** The last results of hooks. */
  hookStatus: HookStatus[];
  /** Granted files by plugin id. */
  grants: Map<string, FileRef[]>;
  uploads: FakeUpload[];
  /** Uploads are answered when it resolves. */
  holdUploads: Promise<void>;
  uploadProblem: FakeProblem | null;
  /** The content of every exported file. */
  exported: string;
  /** The worker of every plugin. */
  invoke: (call: FakeCall) => Promise<InvokeReply | FakeProblem>;
}

/** Content of uploaded files by relative path, or by name. */
export type FakeUpload = Record<string, string>;

/** A call of a plugin's worker. */
export interface FakeCall {
  pluginId: string;
  callId: string;
  method: string;
  params: unknown;
}

/** A problem that an operation is refused with. */
export interface FakeProblem {
  status: number;
  code: string;
  detail: string;
  errors?: { path: string; message: string }[];
}

export const isProblem = (value: unknown): value is FakeProblem =>
  typeof value === 'object' && value !== null && 'status' in value && 'code' in value;

const sqliteForm: DatabaseForm = {
  type: 'SQLITE',
  label: 'SQLite',
  embedded: true,
  fields: [{ name: 'filePath', label: 'File', kind: 'path', required: false, placeholder: 'host' }],
};

const postgresForm: DatabaseForm = {
  type: 'POSTGRESQL',
  label: 'PostgreSQL',
  embedded: false,
  fields: [
    { name: 'host', label: 'Host', kind: 'text', required: true },
    { name: 'port', label: 'Port', kind: 'number', required: false, default: 5432 },
    { name: 'password', label: 'Password', kind: 'password', required: true },
    { name: 'ssl', label: 'Encrypted', kind: 'switch', required: false, default: false },
  ],
};

export function createFakeHost(): FakeHost {
  return {
    token: 'a-token-of-the-test',
    webTickets: new Set(),
    setup: {
      initialized: true,
      supportedTypes: ['H2', 'SQLITE', 'MYSQL', 'POSTGRESQL'],
      embeddedTypes: ['H2', 'SQLITE'],
    },
    forms: [
      sqliteForm,
      { ...sqliteForm, type: 'H2', label: 'H2', unavailable: 'Java was not found. H2 needs it.' },
      postgresForm,
    ],
    settings: { ...WritableSettings.parse({}), computerUse: null },
    plugins: new Map(),
    dataSizeBytes: new Map(),
    pages: new Map(),
    logs: new Map(),
    notifications: [],
    packages: new Map(),
    isolation: {
      platform: 'linux',
      backend: 'bubblewrap',
      sandboxed: true,
      reduced: false,
      compatibilityMode: false,
      lifecycleIsolation: 'kernel',
      filesystem: 'full',
      network: 'isolated',
      resourceLimits: 'cgroup',
      unsandboxedPlugins: false,
    },
    aiConfig: { ...StoredAiConfig.parse({}), ready: true },
    trust: new Map(),
    requiredSettings: new Map(),
    configs: new Map(),
    hookStatus: [],
    grants: new Map(),
    uploads: [],
    holdUploads: Promise.resolve(),
    uploadProblem: null,
    exported: 'exported',
    invoke: ({ callId, params }) => Promise.resolve({ callId, result: params ?? null }),
  };
}

/** Adds an installed plugin with a page of its own; `page: null` adds one without a page. */
export function addPlugin(
  host: FakeHost,
  id: string,
  change: Partial<MarketplacePlugin> & { page?: string | null } = {},
): MarketplacePlugin {
  const { page = `<!doctype html><h1>${id}</h1>`, ...fields } = change;
  const name = fields.name ?? id;
  const version = fields.version ?? '1.0.0';
  const plugin: MarketplacePlugin = {
    id,
    name,
    version,
    description: '',
    category: 'utilities',
    icon: '',
    uiEntry: '',
    author: '',
    permissions: [],
    enabled: true,
    iconStyle: 'BLUE',
    supportsAi: false,
    source: 'THIRD_PARTY',
    state: 'stopped',
    keywords: [],
    sourceId: null,
    sourceName: null,
    installed: true,
    installedVersion: version,
    updateAvailable: false,
    installable: false,
    manifest: PluginManifest.parse({ id, name, version }),
    ...fields,
  };
  host.plugins.set(id, plugin);
  if (page !== null) host.pages.set(`${id}/index.html`, page);
  return plugin;
}

/** Adds hooks or MCP servers of a plugin. */
export function addTrust(host: FakeHost, pluginId: string, change: Partial<PluginTrust>): void {
  const nothing = { hooks: [], mcpServers: [], servers: [], hash: null, warnings: [] };
  host.trust.set(pluginId, { pluginId, trusted: false, state: 'untrusted', ...nothing, ...change });
}

export const makeHook = (
  change: Partial<PluginTrust['hooks'][number]>,
): PluginTrust['hooks'][number] => ({
  name: 'guard',
  event: 'pre_tool_use',
  matcher: null,
  type: 'command',
  timeoutSeconds: 60,
  enabled: true,
  supported: true,
  ...change,
});

let notificationCount = 0;

export function makeNotification(change: Partial<Notification> = {}): Notification {
  notificationCount += 1;
  return {
    id: `n${notificationCount}`,
    source: 'host',
    level: 'info',
    title: `Notification ${notificationCount}`,
    body: null,
    link: null,
    read: false,
    createdAt: new Date().toISOString(),
    readAt: null,
    ...change,
  };
}

export const makeLog = (
  sequence: number,
  change: Partial<PluginLogEvent> = {},
): PluginLogEvent => ({
  timestamp: new Date().toISOString(),
  level: 'INFO',
  logger: 'worker',
  thread: 'main',
  message: `Line ${sequence}`,
  sequence,
  ...change,
});

export const makeInspection = (change: Partial<PackageInspection> = {}): PackageInspection => ({
  id: 'com.example.words',
  name: 'Words',
  version: '1.2.0',
  installed: false,
  installedVersion: null,
  comparison: null,
  permissions: ['files.read'],
  addedPermissions: ['files.read'],
  official: false,
  database: false,
  sha256: 'ab'.repeat(32),
  sizeBytes: 3_400_000,
  warnings: [],
  ...change,
});
