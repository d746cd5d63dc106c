/** Something that can be done from the palette or by a key. `label` is a key of the words. */
export interface Command {
  id: string;
  label: string;
  values?: Record<string, string>;
  /** As shown to people; `mod` stands for Ctrl or Cmd. */
  keys?: string | undefined;
  run: () => void;
}
