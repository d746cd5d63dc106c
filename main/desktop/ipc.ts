import { ipcMain, type IpcMainInvokeEvent } from 'electron';
import type { z } from 'zod';
import { isShellAddress } from './shell-scheme.ts';

/** Returns the window whose page may call; null while there is none. */
export type AskingWindow = () => { webContents: { mainFrame: unknown } } | null;

/**
 * Registers a handler for a channel; the only place that does so. Accepts calls from the main frame
 * of the shell window whose arguments match the schema; all other calls get an error without
 * details.
 */
export function answer<T>(
  window: AskingWindow,
  channel: string,
  schema: z.ZodType<T>,
  handler: (input: T) => unknown,
): void {
  ipcMain.handle(channel, (event: IpcMainInvokeEvent, input: unknown) => {
    if (!isFromShell(event, window())) throw new Error('Not for this page.');
    const read = schema.safeParse(input);
    if (!read.success) throw new Error('That cannot be understood.');
    return handler(read.data);
  });
}

function isFromShell(event: IpcMainInvokeEvent, window: ReturnType<AskingWindow>): boolean {
  const frame = event.senderFrame;
  return (
    frame !== null &&
    window !== null &&
    frame === window.webContents.mainFrame &&
    isShellAddress(frame.url)
  );
}
