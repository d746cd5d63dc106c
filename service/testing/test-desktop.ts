import type { Desktop } from '../platform/desktop.ts';

/** A desktop whose person chose every file. */
export const testDesktop = (parts: Partial<Desktop> = {}): Desktop => ({
  wasChosen: () => true,
  ...parts,
});
