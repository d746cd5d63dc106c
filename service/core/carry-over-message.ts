import { type Message, msg } from '../messages/index.ts';

/** Display names of the parts, by their names in the contract. */
const parts = {
  plugins: msg('hostPart.plugins'),
  plugin_states: msg('hostPart.pluginStates'),
  plugin_files: msg('hostPart.pluginFiles'),
  plugin_databases: msg('hostPart.pluginDatabases'),
  workspace: msg('hostPart.workspace'),
  settings: msg('hostPart.settings'),
  models: msg('hostPart.models'),
  conversations: msg('hostPart.conversations'),
  workflows: msg('hostPart.workflows'),
  runs: msg('hostPart.runs'),
  schedules: msg('hostPart.schedules'),
  mcp_servers: msg('hostPart.mcpServers'),
  sources: msg('hostPart.sources'),
  trust: msg('hostPart.trust'),
  memories: msg('hostPart.memories'),
  notifications: msg('hostPart.notifications'),
  grants: msg('hostPart.grants'),
};

/** Message with the parts of the data that a change of the database keeps. */
export const carryOverMessage = (
  change: Record<'carriedOver' | 'leftBehind', readonly (keyof typeof parts)[]>,
): Message =>
  msg('database.carryOver', {
    carriedOver: change.carriedOver.map((part) => parts[part]),
    leftBehind: change.leftBehind.map((part) => parts[part]),
  });
