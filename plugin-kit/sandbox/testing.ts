/** The module that tests of a plugin import as `plugin-host-kit`. */
export { PluginCallError } from './plugin-call.ts';
export { startPlugin } from './start-plugin.ts';
