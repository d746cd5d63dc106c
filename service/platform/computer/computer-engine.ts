import { type HostText, messageOf, textOf } from '../../messages/index.ts';
/**
 * A position in logical points of the whole screen; 0, 0 is the upper left corner of all displays.
 */
export interface Point {
  x: number;
  y: number;
}

/** A display, with its position and size in logical points. */
export interface ComputerDisplay extends Point {
  id: string;
  width: number;
  height: number;
  /** Pixels per point. */
  scale: number;
  primary: boolean;
}

/** A window of a program. */
export interface ComputerApp {
  /** Id of the window. */
  id: string;
  title: string;
  /** Only if the system provides it. */
  name?: string;
  pid?: number;
  active?: boolean;
}

/** An image of one display. */
export interface Screenshot {
  /** PNG; `data` is base64. */
  image: { mimeType: string; data: string };
  /** Size in points. */
  width: number;
  height: number;
  /** Pixels of the image per point. */
  scale: number;
  /** Id of the display. */
  display: string;
}

export type MouseButton = 'left' | 'middle' | 'right';

/** Actions, each with its input and its result. Coordinates are logical points. */
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

/** Availability of computer use on this machine. */
export interface ComputerState {
  available: boolean;
  /** Name of the display in use, or the reason why there is none, with advice. */
  reason: HostText;
}

/** Converts the state for the API: English text plus the message. */
export const sentState = ({ available, reason }: ComputerState) => ({
  available,
  reason: textOf(reason),
  reasonMessage: messageOf(reason),
});

/**
 * Mouse and keyboard while a model controls them; an indicator on the screen shows this, and a key
 * ends it.
 */
export interface Controls {
  /** Display name of the key. */
  stopKey: string;
  /** Ends the control and hides the indicator. */
  release(): Promise<void>;
}

/** A screen with its mouse and keyboard. */
export interface ComputerEngine {
  /** Resolves with the current availability. */
  state(): Promise<ComputerState>;
  /**
   * Runs one action. No key or button stays pressed afterwards. @throws HostError
   * `computer_use_unavailable` without a display, and other codes for impossible actions; the
   * reason of `signal`
   */
  run<Action extends ComputerAction>(
    action: Action,
    input: ComputerActions[Action][0],
    signal: AbortSignal,
  ): Promise<ComputerActions[Action][1]>;
  /**
   * Shows the indicator and grabs the stop key. `over` is called once: the user pressed the key, or
   * the display disappeared.
   * @throws HostError `computer_use_unavailable`
   */
  takeControl(onEnd: (why: 'stopped' | 'gone') => void): Promise<Controls>;
  /** Also ends the launched programs. */
  close(): Promise<void>;
}

export const limits = {
  typedCharacters: 10_000,
  clipboardCharacters: 100_000,
  waitMs: 30_000,
  clicks: 3,
  /** Most points of one scroll action. */
  scroll: 10_000,
  /** Most launched programs at the same time. */
  launched: 16,
};
