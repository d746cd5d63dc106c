import type { ComputerDisplay, Point } from '../computer-engine.ts';

/** Permissions of this app, as reported by the system. */
export interface ScreenAccess {
  /** Screen capture: `granted`, `denied`, `restricted`, `not-determined` or `unknown`. */
  screen: string;
  /** Sending input to other programs; null on systems without such a permission. */
  input: boolean | null;
}

/**
 * Functions of the desktop app. Points are in system coordinates: the primary display starts at 0,
 * 0, others may have negative positions.
 */
export interface DesktopSystem {
  readonly platform: NodeJS.Platform;
  /** The current permissions; shows no dialog. */
  access(): ScreenAccess;
  /** Shows the dialog of the system for missing permissions. */
  askForAccess(): void;
  displays(): ComputerDisplay[];
  cursor(): Point;
  /** Converts a point to the coordinates of the input library. */
  nativePoint(point: Point): Point;
  /**
   * Captures a display as four bytes per pixel (blue, green, red, unused), top row first; null if
   * the system returned nothing.
   */
  capture(
    display: ComputerDisplay,
  ): Promise<{ width: number; height: number; pixels: Buffer } | null>;
  windows(): Promise<{ id: string; title: string }[]>;
  /** Opens a program like a double click. Resolves with an empty text, or with the error. */
  open(path: string): Promise<string>;
  readText(): Promise<string>;
  writeText(text: string): Promise<void>;
  /** Language of the settings. */
  language(): string;
  /**
   * Shows a strip above all windows that lets clicks through. `onHidden` is called when it
   * disappears without `hide`.
   */
  showIndicator(name: string, text: string, onHidden: () => void): Promise<{ hide(): void }>;
  /**
   * Registers a global shortcut. Returns a function that releases it; null when another program has
   * it.
   */
  grab(keys: string, pressed: () => void): (() => void) | null;
}
