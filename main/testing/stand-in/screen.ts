import type { Display, Point, SourcesOptions } from 'electron';

/** Screen, keyboard and clipboard as Electron reports them, set by tests. */

interface Picture {
  width: number;
  height: number;
  /** Four bytes per pixel: blue, green, red and one unused. */
  pixels: Buffer;
}

type TestScreen = Pick<Display, 'id' | 'bounds' | 'workArea' | 'scaleFactor'>;

const fullHd = { x: 0, y: 0, width: 1920, height: 1080 };

const untouched = () => ({
  /** The first display is the primary one. */
  displays: [{ id: 1, bounds: fullHd, workArea: fullHd, scaleFactor: 1 }] as TestScreen[],
  cursor: (): Point => ({ x: 0, y: 0 }),
  /** Content of a display; null if no picture can be taken. */
  picture: (_display: TestScreen): Promise<Picture | null> => Promise.resolve(null),
  windows: [] as { id: string; name: string }[],
  access: { screen: 'granted', input: true },
  /** Permissions that the system was asked to request from the person. */
  prompts: [] as string[],
  shortcuts: new Map<string, () => void>(),
  /** Shortcuts that other programs use. */
  takenShortcuts: [] as string[],
  clipboard: '',
  programs: [] as string[],
});

export const machine = untouched();

export const resetMachine = (): void => void Object.assign(machine, untouched());

export const systemPreferences = {
  getMediaAccessStatus: (_kind: string): string => machine.access.screen,
  isTrustedAccessibilityClient(prompt: boolean): boolean {
    if (prompt) machine.prompts.push('accessibility');
    return machine.access.input;
  },
};

export const screen = {
  getAllDisplays: () => machine.displays,
  /** Without displays Electron still returns one, with an id of no display. */
  getPrimaryDisplay: () => machine.displays[0] ?? { id: -1 },
  getCursorScreenPoint: () => machine.cursor(),
  /** Like Windows with one display, whose coordinates start at its corner. */
  dipToScreenPoint({ x, y }: Point): Point {
    const scale = machine.displays[0]?.scaleFactor ?? 1;
    return { x: Math.round(x * scale), y: Math.round(y * scale) };
  },
};

export const desktopCapturer = {
  async getSources({ types, thumbnailSize }: SourcesOptions) {
    if (machine.access.screen !== 'granted') {
      machine.prompts.push('screen');
      throw new Error('Failed to get sources.');
    }
    if (!types.includes('screen')) return machine.windows;
    return Promise.all(
      machine.displays.map(async (display) => {
        const isWanted = (thumbnailSize?.width ?? 150) > 0;
        const picture = isWanted ? await machine.picture(display) : null;
        const { width = 0, height = 0, pixels = Buffer.alloc(0) } = picture ?? {};
        return {
          id: `screen:${display.id}:0`,
          name: 'Screen',
          display_id: String(display.id),
          thumbnail: {
            isEmpty: () => picture === null,
            getSize: () => ({ width, height }),
            toBitmap: () => pixels,
          },
        };
      }),
    );
  },
};

export const globalShortcut = {
  register(keys: string, pressed: () => void): boolean {
    if (machine.takenShortcuts.includes(keys) || machine.shortcuts.has(keys)) return false;
    machine.shortcuts.set(keys, pressed);
    return true;
  },
  unregister: (keys: string): void => void machine.shortcuts.delete(keys),
};

export const clipboard = {
  readText: () => Promise.resolve(machine.clipboard),
  writeText(text: string): Promise<void> {
    machine.clipboard = text;
    return Promise.resolve();
  },
};
