import { contextBridge } from 'electron';

/** All that the shell page gets from the desktop: where the service is. Never in plugin frames. */
contextBridge.exposeInMainWorld('hostBridge', Object.freeze({ baseUrl: '' }));
