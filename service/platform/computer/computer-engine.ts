import { type HostText, messageOf, textOf } from '../../messages/index.ts';
/** Where the mouse is or goes, in logical points of the whole screen. */
export interface Point {
  x: number;
  y: number;
}

export interface ComputerDisplay extends Point {
  id: string;
  width: number;
  height: number;
  /** Pixels of the display for a point. */
  scale: number;
  primary: boolean;
}

export interface ComputerApp {
  /** Of its window. */
  id: string;
  title: string;
  /** These where the system tells them. */
  name?: string;
  pid?: number;
  active?: boolean;
}

export interface Screenshot {
  /** `data` is base64. */
  image: { mimeType: string; data: string };
  /** In points. */
  width: number;
  height: number;
  /** Pixels of the picture for a point. */
  scale: number;
  display: string;
}

export type MouseButton = 'left' | 'middle' | 'right';

/** What can be done, with what it takes and gives. Coordinates are logical points. */
export interface ComputerActions {
  screenshot: [{ display?: string }, Screenshot];
  displays: [object, { displays: ComputerDisplay[] }];
  apps: [object, { apps: ComputerApp[] }];
  cursor_position: [object, Point];
  move: [Point, Point];
  click: [Point & { button: MouseButton; count: number }, Point];
  drag: [{ fromX: number; fromY: number; toX: number; toY: number }, Point];
  scroll: [Point & { dx: number; dy: number }, Point];
  type: [{ text: string }, { done: true }];
  key: [{ keys: string }, { done: true }];
  launch: [{ app: string }, { done: true }];
  activate: [{ id: string }, { done: true }];
  clipboard_read: [object, { text: string; truncated?: true }];
  clipboard_write: [{ text: string }, { done: true }];
}

export type ComputerAction = keyof ComputerActions;

export interface ComputerState {
  available: boolean;
  /** Which display there is, or why there is none and what to do. */
  reason: HostText;
}

/** The state as it travels. */
export const sentState = ({ available, reason }: ComputerState) => ({
  available,
  reason: textOf(reason),
  reasonMessage: messageOf(reason),
});

/** Mouse and keyboard, taken: a sign says so, and a key gives them back. */
export interface Controls {
  /** As a person reads it. */
  stopKey: string;
  release(): Promise<void>;
}

/** A screen with its mouse and keyboard. */
export interface ComputerEngine {
  /** Whether it can be used now. Null: this is a host without a screen, and nobody expects one. */
  state(): Promise<ComputerState>;
  /**
   * Nothing stays pressed, however it ends.
   * @throws HostError `computer_use_unavailable` where there is no display, or none any more; other codes
   * for what cannot be done; the reason of `signal`
   */
  run<Action extends ComputerAction>(
    action: Action,
    input: ComputerActions[Action][0],
    signal: AbortSignal,
  ): Promise<ComputerActions[Action][1]>;
  /**
   * Shows that the controls are taken. `over` is called once: a person pressed the stop key, or the display
   * went away.
   * @throws HostError `computer_use_unavailable`
   */
  take(over: (why: 'stopped' | 'gone') => void): Promise<Controls>;
  /** Ends what was launched, too. */
  close(): Promise<void>;
}

export const limits = {
  typedCharacters: 10_000,
  clipboardCharacters: 100_000,
  waitMs: 30_000,
  clicks: 3,
  /** Of scrolling, in points. */
  scroll: 10_000,
  /** Programs that were launched and still run. */
  launched: 16,
};
