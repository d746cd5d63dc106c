import { contextBridge, ipcRenderer, webUtils } from 'electron';
import {
  bridgeChannels as channels,
  bridgeEvents,
  type HostBridge,
} from '../service/contract/desktop-bridge.ts';

const ask = (channel: string, body: unknown): Promise<never> =>
  ipcRenderer.invoke(channel, body) as Promise<never>;

/** Passes on only the value, never the event object. */
const listen = (channel: string, listener: (value: string) => void): void => {
  ipcRenderer.on(channel, (_event, value: unknown) => {
    if (typeof value === 'string') listener(value);
  });
  void ipcRenderer.invoke(channels.ready, { news: channel });
};

const bridge: HostBridge = {
  baseUrl: '',
  pickPath: ({ kind }) => ask(channels.pickPath, { kind }),
  pathOf(file) {
    // Empty for files that the page created.
    const path = webUtils.getPathForFile(file as File);
    return path === '' ? Promise.resolve(null) : ask(channels.dropped, { path });
  },
  chooseSave: (fileName) => ask(channels.chooseSave, { fileName }),
  writeSave: (id, bytes) => ask(channels.writeSave, { id, bytes }),
  endSave: (id, whole) => ask(channels.endSave, { id, whole }),
  openExternal: (address) => ask(channels.openExternal, { address }),
  facts: () => ask(channels.facts, {}),
  onPackage: (listener) => listen(bridgeEvents.package, listener),
  onNavigate: (listener) => listen(bridgeEvents.navigate, listener),
  onInstall: (listener) => listen(bridgeEvents.install, listener),
};

/** The complete API of the shell page in the desktop app. Plugin frames do not get it. */
contextBridge.exposeInMainWorld('hostBridge', Object.freeze(bridge));
