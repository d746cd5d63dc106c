import { z } from 'zod';
import { developerToken, endpoint, events, multipart } from './endpoint.ts';
import { PluginId } from './manifest.ts';
import { UploadedPlugin } from './market.ts';
import { PluginLogEvent } from './plugins.ts';

/**
 * `.host/dev.json`: how developer tools connect to this host while the setting `developerMode` is
 * on.
 */
export const DeveloperFile = z.object({ port: z.int(), token: z.string() });
export type DeveloperFile = z.output<typeof DeveloperFile>;

/** Address for debuggers of a plugin worker. */
export const InspectEvent = z.object({
  runtime: z.enum(['java', 'node']),
  /** Port on the loopback address of this computer. */
  port: z.int(),
  /** `ws://…` for Node, `host:port` for Java. */
  url: z.string(),
  /** Folder of the plugin's package inside the worker. */
  root: z.string(),
});
export type InspectEvent = z.output<typeof InspectEvent>;

export const developer = {
  install: endpoint({
    method: 'POST',
    path: '/api/plugin-dev/install',
    access: developerToken,
    summary:
      'Install a package that is being worked on, or put it in the place of the installed one',
    body: multipart('file', z.object({})),
    reply: UploadedPlugin,
    problems: ['invalid_package', 'reserved_identity', 'host_too_old'],
  }),
  sourceMaps: endpoint({
    method: 'PUT',
    path: '/api/plugin-dev/{id}/source-maps',
    access: developerToken,
    summary: 'Say what the bundled files of a plugin were made of, so that errors name the sources',
    params: z.object({ id: PluginId }),
    /** Source maps as JSON by path in the package; their sources are relative to the plugin. */
    body: z.record(z.string().max(400), z.string()),
    problems: ['reserved_identity'],
  }),
  logs: endpoint({
    method: 'GET',
    path: '/api/plugin-dev/{id}/logs/stream',
    access: developerToken,
    summary: 'Recent log events of a plugin that is not official, then new ones as they come',
    params: z.object({ id: PluginId }),
    reply: events({ log: PluginLogEvent }),
    problems: ['unknown_plugin', 'reserved_identity'],
  }),
  inspect: endpoint({
    method: 'GET',
    path: '/api/plugin-dev/{id}/inspect/stream',
    access: developerToken,
    summary:
      'Let debuggers connect to the worker of a plugin that is not official, while this stream is open and developer mode is on. Ends and restarts the worker at both ends; its calls have no time-out meanwhile',
    params: z.object({ id: PluginId }),
    reply: events({ inspect: InspectEvent }),
    problems: [
      'unknown_plugin',
      'reserved_identity',
      'developer_mode_off',
      'plugin_disabled',
      'no_worker',
      'already_inspected',
      'missing_runtime',
    ],
  }),
} as const;
