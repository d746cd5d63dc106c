import './newer-node.mjs';

export const { PluginCallError, startPlugin } = await import('./testing.mjs');
