import { clipboard, desktopCapturer, globalShortcut, screen, systemPreferences } from 'electron';
import type { ComputerDisplay, DesktopSystem } from '../../../service/platform/desktop.ts';
import { openProgram } from '../open-external.ts';
import { inTime } from './in-time.ts';
import { showIndicator } from './sign.ts';

/**
 * Computer use through Electron. Windows can be listed but not activated, since Electron has no API
 * for it.
 */
export function electronSystem(
  language: () => string,
  platform: NodeJS.Platform = process.platform,
): DesktopSystem {
  return {
    platform,
    access: () => ({
      screen: systemPreferences.getMediaAccessStatus('screen'),
      input: platform === 'darwin' ? systemPreferences.isTrustedAccessibilityClient(false) : null,
    }),
    askForAccess() {
      if (platform !== 'darwin') return;
      systemPreferences.isTrustedAccessibilityClient(true);
      // On macOS the first capture makes the system ask the person for permission.
      sourcesOf('screen', { width: 1, height: 1 }).catch(() => undefined);
    },
    displays,
    cursor: () => screen.getCursorScreenPoint(),
    // Windows expects physical pixels across all displays; Electron counts points.
    nativePoint: (point) => (platform === 'win32' ? screen.dipToScreenPoint(point) : point),
    capture,
    windows: async () =>
      (await sourcesOf('window', { width: 0, height: 0 })).map(({ id, name }) => ({
        id,
        title: name,
      })),
    open: openProgram,
    readText: () => clipboard.readText(),
    writeText: (text) => clipboard.writeText(text),
    language,
    showIndicator: (name, text, gone) =>
      showIndicator(platform, { name, text, display: primary(), gone }),
    grab(keys, pressed) {
      if (!globalShortcut.register(keys, pressed)) return null;
      return () => globalShortcut.unregister(keys);
    },
  };
}

function displays(): ComputerDisplay[] {
  const first = screen.getPrimaryDisplay().id;
  return screen.getAllDisplays().map(({ id, bounds, scaleFactor }) => ({
    id: String(id),
    scale: scaleFactor,
    primary: id === first,
    x: bounds.x,
    y: bounds.y,
    width: bounds.width,
    height: bounds.height,
  }));
}

function primary(): ComputerDisplay {
  const all = displays();
  const found = all.find((one) => one.primary) ?? all[0];
  if (!found) throw new Error('There is no display for the sign.');
  return found;
}

const captureLimitMs = 10_000;

const sourcesOf = (type: 'screen' | 'window', thumbnailSize: { width: number; height: number }) =>
  inTime(
    desktopCapturer.getSources({ types: [type], thumbnailSize }),
    captureLimitMs,
    'computer.screenLate',
  );

const capture: DesktopSystem['capture'] = async ({ id, width, height, scale }) => {
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const sources = await sourcesOf('screen', size);
  const named = sources.find((one) => one.display_id === id);
  // Some systems do not say which display a picture belongs to.
  const [only] = sources.length === 1 ? sources : [];
  const picture = (named ?? only)?.thumbnail;
  if (!picture || picture.isEmpty()) return null;
  return { ...picture.getSize(1), pixels: picture.toBitmap({ scaleFactor: 1 }) };
};
