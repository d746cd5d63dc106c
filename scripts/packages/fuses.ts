import { readFileSync } from 'node:fs';
import {
  flipFuses,
  type FuseConfig,
  FuseState,
  FuseV1Options,
  FuseVersion,
  getCurrentFuseWire,
  pathToFuseFile,
} from '@electron/fuses';

/**
 * Fuses of the packaged Electron. Every fuse is listed, so that a new one in Electron fails the
 * build.
 */
export const fuses = {
  version: FuseVersion.V1,
  strictlyRequireAllFuses: true,
  resetAdHocDarwinSignature: true,
  // With ELECTRON_RUN_AS_NODE a signed program would run any script.
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableCookieEncryption]: true,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  // All processes use the same snapshot.
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  // The shell is served from app://shell and loads nothing from file:.
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  // Electron's default; without it WebAssembly checks each access in software.
  [FuseV1Options.WasmTrapHandlers]: true,
} as const satisfies FuseConfig;

/**
 * Sets the fuses of a binary, or of a macOS app that contains it, and verifies them.
 * @throws Error if it has no fuses or different ones
 */
export async function setFuses(binary: string): Promise<void> {
  if (!readFileSync(pathToFuseFile(binary)).includes('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'))
    throw new Error(`${binary} has no fuses: it is no Electron.`);
  await flipFuses(binary, fuses);
  const wrong = await wrongFuses(binary);
  if (wrong.length > 0)
    throw new Error(`${binary} has other fuses than it should: ${wrong.join(', ')}.`);
}

/**
 * Returns the names of the fuses with a different value, including fuses that this Electron has
 * removed.
 */
export async function wrongFuses(binary: string): Promise<string[]> {
  const wire = await getCurrentFuseWire(binary);
  const options = Object.values(FuseV1Options).filter((one) => typeof one === 'number');
  return options
    .filter((one) => wire[one] !== (fuses[one] ? FuseState.ENABLE : FuseState.DISABLE))
    .map((one) => FuseV1Options[one]);
}
