import type { Display, Point, SourcesOptions } from 'electron';

/** What Electron tells of screen, keys and clipboard: what a test puts here. */

interface Picture {
  width: number;
  height: number;
  /** Blue, green, red and one byte more for each pixel. */
  pixels: Buffer;
}

type VisibleDisplay = Pick<Display, 'id' | 'bounds' | 'workArea' | 'scaleFactor'>;

const fullHd = { x: 0, y: 0, width: 1920, height: 1080 };

const untouched = () => ({
  /** The first is the primary one. */
  displays: [{ id: 1, bounds: fullHd, workArea: fullHd, scaleFactor: 1 }] as VisibleDisplay[],
  cursor: (): Point => ({ x: 0, y: 0 }),
  /** What is drawn on it; null: nothing comes. */
  picture: (_display: VisibleDisplay): Promise<Picture | null> => Promise.resolve(null),
  windows: [] as { id: string; name: string }[],
  access: { screen: 'granted', input: true },
  /** What the system was asked to ask a person. */
  prompts: [] as string[],
  shortcuts: new Map<string, () => void>(),
  /** Those that other programs have. */
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
  /** Where there is none Electron still tells of one, with an id that none has. */
  getPrimaryDisplay: () => machine.displays[0] ?? { id: -1 },
  getCursorScreenPoint: () => machine.cursor(),
  /** As Windows with one display: all is counted from its corner. */
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
