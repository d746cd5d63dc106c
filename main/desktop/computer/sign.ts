import type { ComputerDisplay } from '../../../service/platform/desktop.ts';
import { createSignWindow } from '../window.ts';

interface Sign {
  name: string;
  words: string;
  display: ComputerDisplay;
}

const size = { width: 720, height: 34 };

/** A strip at the upper edge that says who has the controls. Clicks go through it to what is below. */
export async function showSign(
  platform: NodeJS.Platform,
  { name, words, display }: Sign,
): Promise<{ hide(): void }> {
  const width = Math.min(size.width, display.width);
  const x = display.x + Math.floor((display.width - width) / 2);
  const window = createSignWindow(name, { x, y: display.y, width, height: size.height });
  try {
    window.setIgnoreMouseEvents(true);
    // Above the task bar, the menu bar and programs that fill the screen.
    window.setAlwaysOnTop(true, 'screen-saver');
    if (platform === 'darwin')
      window.setVisibleOnAllWorkspaces(true, { visibleOnFullScreen: true });
    await window.loadURL(`data:text/html;charset=utf-8,${encodeURIComponent(pageOf(name, words))}`);
    window.showInactive();
    return { hide: () => window.destroy() };
  } catch (error) {
    window.destroy();
    throw error;
  }
}

/** Nothing is fetched by it, and no script runs in it. */
const pageOf = (name: string, words: string): string => `<!doctype html>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(name)}</title>
<style>
  html { background: #b02020; color: #fff; font: 600 15px/34px system-ui, sans-serif; }
  body { margin: 0; overflow: hidden; text-align: center; white-space: nowrap; }
</style>
<body>${escaped(words)}`;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
