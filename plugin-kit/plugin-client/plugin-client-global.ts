import { PluginClient } from './plugin-client.ts';

/** The classic script: pages without modules find the bridge as a global. */
Object.assign(globalThis, { PluginClient });
