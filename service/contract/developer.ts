import { z } from 'zod';
import { developerToken, endpoint, events, multipart } from './endpoint.ts';
import { PluginId, WorkerRuntime } from './manifest.ts';
import { UploadedPlugin } from './market.ts';
import { PluginLogEvent } from './plugins.ts';

/** `.host/dev.json`: how tools of developers reach this host while the setting `developerMode` is on. */
export const DeveloperFile = z.object({ port: z.int(), token: z.string() });
export type DeveloperFile = z.output<typeof DeveloperFile>;

/** Where the debugger of a worker can be attached: `port` of 127.0.0.1 speaks the inspector protocol of Node, or JDWP. */
export const Inspector = z.object({ runtime: WorkerRuntime, port: z.int() });
export type Inspector = z.output<typeof Inspector>;

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
  inspect: endpoint({
    method: 'GET',
    path: '/api/plugin-dev/{id}/inspect/stream',
    access: developerToken,
    summary: 'Let a debugger in to the worker of a plugin for as long as this stream is open',
    params: z.object({ id: PluginId }),
    reply: events({ inspector: Inspector }),
    problems: ['unknown_plugin', 'reserved_identity', 'developer_mode_off', 'inspector_in_use'],
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
