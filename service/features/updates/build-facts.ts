import type { BuildKind } from '../../contract/index.ts';

/** The properties of this build, from its packager and from the way it was started. */
export interface BuildFacts {
  kind: BuildKind;
  /** In the naming of Node. */
  arch: string;
  /** Address of the public releases; null: the package names none. */
  releases: string | null;
  /**
   * Ed25519 public key, SPKI in base64, that releases must be signed for. Null: releases have only
   * a checksum.
   */
  releaseKey: string | null;
  /** The folder of a portable zip build. */
  folder: string;
  /** The Node program that runs the swap program. */
  node: string;
  /** The program that replaces the folder; see `main/swap-update.ts`. */
  swapProgram: string;
  /** The command that restarts this program unchanged; null: only its own launcher can. */
  restart: { program: string; args: readonly string[] } | null;
  /** Quits the process as a person would. */
  end(): void;
}
