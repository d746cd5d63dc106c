import { PluginClient } from './plugin-client.ts';

/** The classic script sets a global for pages without modules. */
Object.assign(globalThis, { PluginClient });
