import type { ComputerDisplay, Point } from '../computer-engine.ts';

/** What a system lets this app do, as far as it tells. */
export interface ScreenAccess {
  /** Seeing the screen: `granted`, `denied`, `restricted`, `not-determined` or `unknown`. */
  screen: string;
  /** Pressing keys and buttons for others; null where no system asks. */
  input: boolean | null;
}

/**
 * What only the desktop app is told by its system. Points are counted as the system does: the primary
 * display begins at 0, 0, others may lie left of it or above.
 */
export interface DesktopSystem {
  readonly platform: NodeJS.Platform;
  /** As it stands; nobody is asked. */
  access(): ScreenAccess;
  /** Lets the system show a person its question for what is missing. */
  askForAccess(): void;
  displays(): ComputerDisplay[];
  cursor(): Point;
  /** Where the library that moves the mouse counts this point. */
  nativePoint(point: Point): Point;
  /** Blue, green, red and one unused byte for a pixel, rows from above; null: the system gave nothing. */
  capture(
    display: ComputerDisplay,
  ): Promise<{ width: number; height: number; pixels: Buffer } | null>;
  windows(): Promise<{ id: string; title: string }[]>;
  /** Opens a program as a person does who clicks it; an empty text, or why it could not. */
  open(path: string): Promise<string>;
  readText(): Promise<string>;
  writeText(text: string): Promise<void>;
  /** Of the person's settings. */
  language(): string;
  /** A strip above all windows; clicks go through it. `gone`: it is seen no more, though nobody hid it. */
  showIndicator(name: string, text: string, onHidden: () => void): Promise<{ hide(): void }>;
  /** Hears of these keys whatever program is in front; null: another program has them. */
  grab(keys: string, pressed: () => void): (() => void) | null;
}
