/** A newer version, as displayed. */
export interface Offer {
  version: string;
  sizeBytes?: number;
}

/** A source of newer versions. Its errors are `HostError`s, or the reason of the signal. */
export interface Updater {
  /** Null if there is no newer version. */
  check(signal: AbortSignal): Promise<Offer | null>;
  /** Downloads and verifies the version of the last check. */
  download(onPercent: (percent: number) => void, signal: AbortSignal): Promise<void>;
  /**
   * Returns the command that an administrator can run instead of `restart`, once it is downloaded.
   */
  command(): string | undefined;
  /** Installs the update and makes sure that the host restarts; may end this process. */
  restart(): Promise<void>;
}
