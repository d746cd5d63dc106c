/**
 * What only a desktop can give. The main process implements it with Electron; headless there is none,
 * and no file of the service asks whether Electron is there.
 */
export interface Desktop {
  /** Whether the display can be seen and controlled, and why not. */
  computerUse(): { available: boolean; reason: string };
  /** Opened without a terminal, so with the PATH of the system alone, not the one that a person set up. */
  isFromLauncher?: boolean;
}
