import { readFile } from 'node:fs/promises';
import { type BrowserWindow, type Rectangle, screen } from 'electron';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';

const StoredBounds = z.object({
  x: z.number().int(),
  y: z.number().int(),

  width: z.number().int().min(480).max(20_000),
  height: z.number().int().min(400).max(20_000),
  maximized: z.boolean(),
});
export type WindowBounds = z.output<typeof StoredBounds>;

const leastVisible = 64;
const quietMs = 500;

/** Reads the last position of the window; null if there is none or it is on no current display. */
export async function readBounds(file: string): Promise<WindowBounds | null> {
  try {
    const bounds = StoredBounds.parse(JSON.parse(await readFile(file, 'utf8')));
    const isSeen = screen.getAllDisplays().some(({ workArea }) => overlaps(workArea, bounds));
    return isSeen ? bounds : null;
  } catch {
    return null;
  }
}

function overlaps(area: Rectangle, { x, y, width }: WindowBounds): boolean {
  const right = Math.min(area.x + area.width, x + width);
  const isWide = right - Math.max(area.x, x) >= leastVisible;
  return isWide && y >= area.y && y <= area.y + area.height - leastVisible;
}

/** Stores the position of the window shortly after it moves, and when it closes. */
export function trackBounds(
  window: BrowserWindow,
  file: string,
  reportError: (error: unknown) => void,
): void {
  let timer: NodeJS.Timeout | undefined;
  const write = (): void => {
    clearTimeout(timer);
    if (window.isDestroyed()) return;
    const bounds = { ...window.getNormalBounds(), maximized: window.isMaximized() };
    writeFileAtomic(file, JSON.stringify(bounds), { mode: 0o600 }).catch(reportError);
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(write, quietMs).unref();
  };
  window.on('resize', soon);
  window.on('move', soon);
  window.on('maximize', soon);
  window.on('unmaximize', soon);
  window.on('close', write);
  window.on('closed', () => clearTimeout(timer));
}
