import type { BrowserWindow } from 'electron';
import type { ComputerDisplay } from '../../../service/platform/desktop.ts';
import { createIndicatorWindow } from '../window.ts';
import { inTime } from './in-time.ts';

interface Indicator {
  name: string;
  text: string;
  display: ComputerDisplay;
  /** Called when the strip disappears without a call of `hide`. */
  gone: () => void;
}

const loadMs = 5_000;
const size = { width: 720, height: 34 };

/**
 * Shows a strip at the upper edge of the screen saying that a model is in control. Clicks pass
 * through it.
 */
export async function showIndicator(
  platform: NodeJS.Platform,
  { name, text, display, gone }: Indicator,
): Promise<{ hide(): void }> {
  const width = Math.min(size.width, display.width);
  const x = display.x + Math.floor((display.width - width) / 2);
  const window = createIndicatorWindow(name, { x, y: display.y, width, height: size.height });
  try {
    window.setIgnoreMouseEvents(true);
    // Above the task bar, the menu bar and full-screen programs.
    window.setAlwaysOnTop(true, 'screen-saver');
    if (platform === 'darwin')
      window.setVisibleOnAllWorkspaces(true, { visibleOnFullScreen: true });
    const page = `data:text/html;charset=utf-8,${encodeURIComponent(pageOf(name, text))}`;
    await inTime(window.loadURL(page), loadMs, 'computer.indicatorLate');
    window.showInactive();
    return watched(window, gone);
  } catch (error) {
    window.destroy();
    throw error;
  }
}

function watched(window: BrowserWindow, gone: () => void): { hide(): void } {
  const hide = (): void => {
    window.off('closed', gone);
    if (!window.isDestroyed()) window.destroy();
  };
  window.once('closed', gone);
  window.webContents.once('render-process-gone', () => {
    hide();
    gone();
  });
  return { hide };
}

/** The page loads nothing and runs no script. */
const pageOf = (name: string, text: string): string => `<!doctype html>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(name)}</title>
<style>
  html { background: #b02020; color: #fff; font: 600 15px/34px system-ui, sans-serif; }
  body { margin: 0; overflow: hidden; text-align: center; white-space: nowrap; }
</style>
<body>${escaped(text)}`;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
