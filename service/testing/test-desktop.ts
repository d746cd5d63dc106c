import type { Desktop } from '../platform/desktop.ts';

/** Returns a desktop on which the person chose every file. */
export const testDesktop = (parts: Partial<Desktop> = {}): Desktop => ({
  wasChosen: () => true,
  ...parts,
});
