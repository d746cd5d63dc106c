import type { BuildKind } from '../../contract/index.ts';

/** What this program is part of: its packager wrote it down, and the launch knows how it was started. */
export interface BuildFacts {
  kind: BuildKind;
  /** As Node names it. */
  arch: string;
  /** Where the public releases lie; null: the package names no place. */
  releases: string | null;
  /** Ed25519, SPKI in base64: releases have to be signed with its other half. Null: they carry a checksum alone. */
  releaseKey: string | null;
  /** The folder that was unpacked from a zip. */
  folder: string;
  /** A Node that runs what puts an update in the place of that folder. */
  node: string;
  /** The program that does; see `main/swap-update.ts`. */
  swapProgram: string;
  /** How this program is started again as it was; null: only whoever started it can. */
  restart: { program: string; args: readonly string[] } | null;
  /** Ends the process as a person would. */
  end(): void;
}
