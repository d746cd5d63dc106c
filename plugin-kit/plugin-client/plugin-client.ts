import type { PluginClientApi } from './api.ts';
import { createPluginClient } from './create-plugin-client.ts';

export type * from './api.ts';

/** The bridge of this page. */
export const PluginClient: PluginClientApi = createPluginClient(window);
