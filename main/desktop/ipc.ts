import { ipcMain, type IpcMainInvokeEvent } from 'electron';
import type { z } from 'zod';
import { isShellAddress } from './shell-scheme.ts';

/** The window that may ask; null while there is none. */
export type AskingWindow = () => { webContents: { mainFrame: unknown } } | null;

/**
 * The only place that answers pages. Who asks is the shell in the main frame of its window, and what it
 * gives has the shape that was said; anything else gets an error that tells it nothing.
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
