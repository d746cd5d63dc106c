import { z } from 'zod';
import { developerToken, endpoint, events, multipart } from './endpoint.ts';
import { PluginId } from './manifest.ts';
import { UploadedPlugin } from './market.ts';
import { PluginLogEvent } from './plugins.ts';

/** `.host/dev.json`: how tools of developers reach this host while the setting `developerMode` is on. */
export const DeveloperFile = z.object({ port: z.int(), token: z.string() });
export type DeveloperFile = z.output<typeof DeveloperFile>;

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
    /** Paths in the package to source maps in JSON, whose sources are relative to the plugin. */
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
} as const;
