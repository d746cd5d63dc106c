/** A newer version, as far as people are told of it. */
export interface Offer {
  version: string;
  sizeBytes?: number;
}

/** One way to a newer version. Everything that it throws is a `HostError`, or the reason of the signal. */
export interface Updater {
  /** Null: there is none that is newer. */
  check(signal: AbortSignal): Promise<Offer | null>;
  /** Downloads and verifies what was found last. */
  download(onPercent: (percent: number) => void, signal: AbortSignal): Promise<void>;
  /** What an administrator can run in place of `restart`, once it is downloaded. */
  command(): string | undefined;
  /** Puts it in place and sees to it that the host is started again; may end this process. */
  restart(): Promise<void>;
}
