import { expect, it, vi } from 'vitest';
import {
  bridgeChannels,
  bridgeEvents,
  type HostBridge,
} from '../service/contract/desktop-bridge.ts';

const { exposed, invoked, listeners, electron } = vi.hoisted(() => {
  const exposed: [string, unknown][] = [];
  const invoked: [string, unknown][] = [];
  const listeners = new Map<string, (event: unknown, value: unknown) => void>();
  const electron = {
    contextBridge: {
      exposeInMainWorld: (name: string, api: unknown): void => void exposed.push([name, api]),
    },
    ipcRenderer: {
      invoke: (channel: string, body: unknown) => {
        invoked.push([channel, body]);
        return Promise.resolve('answered');
      },
      on: (channel: string, listener: (event: unknown, value: unknown) => void): void =>
        void listeners.set(channel, listener),
    },
    webUtils: { getPathForFile: ({ name }: File) => (name === 'made.txt' ? '' : `/home/${name}`) },
  };
  return { exposed, invoked, listeners, electron };
});

// Any other use of Electron in the preload is undefined and fails.
vi.mock('electron', () => electron);

await import('./index.ts');
const [[, bridge] = []] = exposed as [string, HostBridge][];
const api = bridge as HostBridge;

it('shows the page a frozen handful of named functions, and nothing of Electron', () => {
  expect(exposed.map(([name]) => name)).toEqual(['hostBridge']);
  expect(Object.isFrozen(api)).toBe(true);
  const kinds = Object.entries(api).map(([name, value]) => `${name}: ${typeof value}`);
  expect(kinds).toEqual([
    'baseUrl: string',
    ...['pickPath', 'pathOf', 'chooseSave', 'writeSave', 'endSave', 'openExternal', 'facts'].map(
      (name) => `${name}: function`,
    ),
    ...['onPackage: function', 'onNavigate: function', 'onInstall: function'],
  ]);
});

it('each function calls its own channel with only its own values', async () => {
  invoked.length = 0;
  const bytes = new Uint8Array([1]);
  await api.pickPath({ kind: 'file', access: 'read' } as never);
  await api.chooseSave('a.txt');
  await api.writeSave('id', bytes);
  await api.endSave('id', true);
  await api.openExternal('https://example.org/');
  expect(invoked).toEqual([
    [bridgeChannels.pickPath, { kind: 'file' }],
    [bridgeChannels.chooseSave, { fileName: 'a.txt' }],
    [bridgeChannels.writeSave, { id: 'id', bytes }],
    [bridgeChannels.endSave, { id: 'id', whole: true }],
    [bridgeChannels.openExternal, { address: 'https://example.org/' }],
  ]);
});

it('returns the path of a dropped file, and asks nothing about one that a page created', async () => {
  invoked.length = 0;
  expect(await api.pathOf(new File([], 'made.txt'))).toBeNull();
  expect(invoked).toEqual([]);
  await api.pathOf(new File([], 'dropped.txt'));
  expect(invoked).toEqual([[bridgeChannels.dropped, { path: '/home/dropped.txt' }]]);
});

it('passes on messages without the event object', () => {
  const received: unknown[][] = [];
  api.onPackage((...args: unknown[]) => void received.push(args));
  listeners.get(bridgeEvents.package)?.({ sender: 'Electron' }, '/home/one.plugin');
  listeners.get(bridgeEvents.package)?.({ sender: 'Electron' }, { not: 'a text' });
  expect(received).toEqual([['/home/one.plugin']]);
});
