import type { Endpoint, PluginConfig } from '../../service/contract/index.ts';
import { api } from '../../service/contract/index.ts';
import type { FakeHost, FakeProblem } from './fake-host.ts';
import { grantAnswers } from './fake-grants.ts';
import { addPlugin, isProblem, makeNotification } from './fake-host.ts';
import type { FakeAnswer } from './fake-request.ts';

const missing: FakeProblem = {
  status: 404,
  code: 'unknown_plugin',
  detail: 'No such plugin is installed.',
};

/**
 * Returns the response of each operation, from the data in `host`. `send` writes to the open
 * streams.
 */
export function fakeAnswers(
  host: FakeHost,
  send: (stream: string, event: string, data: unknown) => void,
): Map<Endpoint, FakeAnswer> {
  return new Map<Endpoint, FakeAnswer>([
    [api.host.health, () => ({ status: 'ok' })],
    [api.host.webSession, ({ body }) => exchange(host, (body as { ticket: string }).ticket)],
    ...setupAnswers(host),
    [api.settings.get, () => host.settings],
    [api.settings.put, ({ body }) => Object.assign(host.settings, body)],
    [
      api.host.isolation,
      () => ({ ...host.isolation, unsandboxedPlugins: host.settings.unsandboxedPlugins }),
    ],
    ...pluginAnswers(host),
    ...packageAnswers(host),
    ...notificationAnswers(host, send),
    ...trustAnswers(host),
    ...grantAnswers(host),
    [api.aiConfig.get, () => host.aiConfig],
    [api.conversations.list, () => []],
    [api.mcp.status, () => ({ servers: 0, connected: 0, tools: 0, connections: [] })],
    [api.tasks.list, () => []],
    [api.hooks.status, () => host.hookStatus],
  ]);
}

function exchange(host: FakeHost, ticket: string): unknown {
  if (host.webTickets.delete(ticket)) return { token: host.token };
  return { status: 410, code: 'ticket_used', detail: 'This ticket was used before.' };
}

function setupAnswers(host: FakeHost): [Endpoint, FakeAnswer][] {
  const open = () => Object.assign(host.setup, { initialized: true });
  return [
    [api.setup.status, () => host.setup],
    [api.setup.types, () => host.forms],
    [
      api.setup.testConnection,
      ({ body }) =>
        (body as { type: string }).type === 'SQLITE'
          ? { success: true, serverVersion: 'SQLite 3.50', elapsedMs: 12.4 }
          : { success: false, message: 'Connection refused', elapsedMs: 31 },
    ],
    [
      api.setup.initialize,
      ({ body }) =>
        (body as { type: string }).type === 'SQLITE'
          ? open()
          : {
              status: 422,
              code: 'connection_failed',
              detail: 'The server refused the connection.',
            },
    ],
    [api.setup.continue, open],
  ];
}

function pluginAnswers(host: FakeHost): [Endpoint, FakeAnswer][] {
  const withPlugin = (id: string | undefined, answer: (id: string) => unknown) =>
    id !== undefined && host.plugins.has(id) ? answer(id) : missing;
  return [
    [
      api.market.list,
      ({ query }) =>
        [...host.plugins.values()].filter(
          ({ installed }) => installed || query['installed'] !== 'true',
        ),
    ],
    [
      api.plugins.show,
      ({ params: { id } }) =>
        withPlugin(id, (pluginId) => ({
          ...host.plugins.get(pluginId),
          dataSizeBytes: host.dataSizeBytes.get(pluginId) ?? 0,
        })),
    ],
    [
      api.market.setEnabled,
      ({ params: { id }, body }) =>
        withPlugin(id, (pluginId) => {
          const { enabled } = body as { enabled: boolean };
          const stateReason = undefined;
          return Object.assign(host.plugins.get(pluginId) ?? {}, {
            enabled,
            state: 'stopped',
            stateReason,
          });
        }),
    ],
    [
      api.market.uninstall,
      ({ params: { id } }) => withPlugin(id, (pluginId) => void host.plugins.delete(pluginId)),
    ],
    [
      api.plugins.invoke,
      ({ params: { id }, body }) =>
        withPlugin(id, (pluginId) =>
          host.invoke({
            pluginId,
            ...(body as { callId: string; method: string; params: unknown }),
          }),
        ),
    ],
    [
      api.plugins.config,
      ({ params: { id } }) => host.configs.get(id ?? '') ?? { values: {}, missing: [] },
    ],
    [
      api.plugins.setConfig,
      ({ params: { id }, body }) =>
        withPlugin(id, (pluginId) => configure(host, pluginId, body as object)),
    ],
    [api.plugins.cancel, () => ({ cancelled: true })],
    [api.plugins.errors, () => ({ errors: [], total: 0 })],
    [api.plugins.logs, ({ params: { id } }) => host.logs.get(id ?? '') ?? []],
  ];
}

function configure(host: FakeHost, id: string, changes: object): PluginConfig {
  const values = { ...host.configs.get(id)?.values, ...changes };
  const config = { values, missing: [] };
  host.configs.set(id, config);
  delete host.plugins.get(id)?.missingConfig;
  return config;
}

function packageAnswers(host: FakeHost): [Endpoint, FakeAnswer][] {
  const found = (file: File | undefined) =>
    host.packages.get(file?.name ?? '') ?? {
      status: 400,
      code: 'invalid_package',
      detail: 'The file is not a plugin package.',
    };
  return [
    [api.market.inspect, ({ files: [file] }) => found(file)],
    [
      api.market.upload,
      ({ files: [file], fields }) => {
        const inspection = found(file);
        if (isProblem(inspection)) return inspection;
        if (host.settings.requirePluginChecksum && fields['sha256'] === undefined) {
          return { status: 400, code: 'checksum_required', detail: 'A checksum is needed.' };
        }
        const { id, name, version, permissions, warnings } = inspection;
        const plugin = addPlugin(host, id, {
          name,
          version,
          permissions,
          ...host.requiredSettings.get(id),
        });
        return { ...plugin, warnings };
      },
    ],
  ];
}

function notificationAnswers(
  host: FakeHost,
  send: (stream: string, event: string, data: unknown) => void,
): [Endpoint, FakeAnswer][] {
  const read = (id: string | undefined) => {
    const found = host.notifications.find((each) => each.id === id);
    return found ? Object.assign(found, { read: true, readAt: new Date().toISOString() }) : missing;
  };
  return [
    [
      api.notifications.create,
      ({ body }) => {
        const created = makeNotification(body as object);
        const plugin = host.plugins.get(created.source.slice('plugin:'.length));
        if (plugin && !plugin.permissions.includes('notifications')) {
          return { status: 403, code: 'missing_permission', detail: 'No permission to notify.' };
        }
        host.notifications.unshift(created);
        send('notifications', 'notification', created);
        return created;
      },
    ],
    [api.notifications.list, () => host.notifications],
    [
      api.notifications.unreadCount,
      () => ({ count: host.notifications.filter((each) => !each.read).length }),
    ],
    [api.notifications.read, ({ params: { id } }) => read(id)],
    [
      api.notifications.readAll,
      () => ({ updated: host.notifications.filter((each) => !each.read && read(each.id)).length }),
    ],
    [
      api.notifications.remove,
      ({ params: { id } }) => {
        host.notifications = host.notifications.filter((each) => each.id !== id);
      },
    ],
  ];
}

function trustAnswers(host: FakeHost): [Endpoint, FakeAnswer][] {
  const become = (id: string | undefined, state: 'trusted' | 'untrusted') => {
    const trust = host.trust.get(id ?? '');
    return trust ? Object.assign(trust, { state, trusted: state === 'trusted' }) : missing;
  };
  return [
    [api.contributions.hooks, () => [...host.trust.values()]],
    [api.contributions.trust, ({ params: { id } }) => become(id, 'trusted')],
    [api.contributions.untrust, ({ params: { id } }) => become(id, 'untrusted')],
  ];
}
