/** An action for the palette or a keyboard shortcut. `label` is a message key. */
export interface Command {
  id: string;
  label: string;
  values?: Record<string, string>;
  /** The displayed keys; `mod` stands for Ctrl or Cmd. */
  keys?: string | undefined;
  run: () => void;
}
