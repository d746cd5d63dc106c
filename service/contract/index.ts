import { agent } from './agent.ts';
import { answerFrames } from './answer-frames.ts';
import { aiConfig } from './ai-config.ts';
import { chat } from './chat.ts';
import { contributions } from './contributions.ts';
import { conversations } from './conversations.ts';
import { developer } from './developer.ts';
import { files } from './files.ts';
import { hooks } from './hooks.ts';
import { host } from './host.ts';
import { hosts } from './hosts.ts';
import { market } from './market.ts';
import { mcp } from './mcp.ts';
import { memories } from './memories.ts';
import { notifications } from './notifications.ts';
import { permissions } from './permissions.ts';
import { plugins } from './plugins.ts';
import { providers } from './providers.ts';
import { runStreams } from './run-streams.ts';
import { schedules } from './schedules.ts';
import { settings } from './settings.ts';
import { setup } from './setup.ts';
import { store } from './store.ts';
import { tasks } from './tasks.ts';
import { tools } from './tools.ts';
import { unpacked } from './unpacked.ts';
import { updates } from './updates.ts';
import { prompts } from './prompts.ts';
import { imports } from './imports.ts';
import { usage } from './usage.ts';
import { workflows } from './workflows.ts';

/** All operations of the service, by feature. */
export const api = {
  aiConfig,
  host,
  hosts,
  setup,
  settings,
  plugins,
  providers,
  prompts,
  imports,
  developer,
  unpacked,
  files,
  market,
  store,
  contributions,
  hooks,
  permissions,
  tools,
  tasks,
  agent,
  workflows,
  schedules,
  chat,
  conversations,
  answerFrames,
  mcp,
  memories,
  notifications,
  runStreams,
  updates,
  usage,
} as const;

/** Version of this program; a package can require a newer one in `minHostVersion`. */
export const hostVersion = '4.0.0-beta.4';

/** Header with the launch token. */
export const tokenHeader = 'X-Host-Token';

/** Version of the bridge between a plugin page and the shell; both must have the same. */
export const bridgeProtocolVersion = '1';

export * from './agent.ts';
export * from './builds.ts';
export * from './chat.ts';
export * from './ai-config.ts';
export * from './contributions.ts';
export * from './conversations.ts';
export * from './developer.ts';
export * from './endpoint.ts';
export * from './files.ts';
export * from './hooks.ts';
export * from './host-message.ts';
export * from './host.ts';
export * from './hosts.ts';
export * from './manifest.ts';
export * from './market.ts';
export * from './mcp-servers.ts';
export * from './memories.ts';
export * from './notification-parameters.ts';
export * from './notifications.ts';
export * from './page-policies.ts';
export * from './permissions.ts';
export * from './plans.ts';
export * from './plugins.ts';
export * from './problem.ts';
export * from './providers.ts';
export { followedEvents, UnstoredOutput as RunWords } from './run-streams.ts';
export * from './runs.ts';
export * from './schedules.ts';
export * from './settings.ts';
export * from './store.ts';
export * from './tasks.ts';
export * from './tools.ts';
export * from './unpacked.ts';
export * from './updates.ts';
export * from './value-types.ts';
export * from './usage.ts';
export * from './prompts.ts';
export * from './imports.ts';
export * from './workflow-nodes.ts';
export * from './option-needs.ts';
export * from './workflows.ts';
export {
  ConnectionTest,
  DatabaseChange,
  databaseChange,
  DatabaseChoice,
  DatabaseForm,
  DatabaseParams,
  DatabaseType,
  HostPart,
  SetupStatus,
} from './setup.ts';
