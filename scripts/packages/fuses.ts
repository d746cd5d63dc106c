import { readFileSync } from 'node:fs';
import {
  flipFuses,
  type FuseConfig,
  FuseState,
  FuseV1Options,
  FuseVersion,
  getCurrentFuseWire,
} from '@electron/fuses';

/** What the packaged Electron can still be talked into. Every fuse is named: a new one stops the build. */
export const fuses = {
  version: FuseVersion.V1,
  strictlyRequireAllFuses: true,
  resetAdHocDarwinSignature: true,
  // ELECTRON_RUN_AS_NODE would make a signed program run any script.
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableCookieEncryption]: true,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  // There is one snapshot for all processes.
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  // The shell lives at app://shell and reads nothing from file:.
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  // As Electron has it: without it WebAssembly checks each access itself.
  [FuseV1Options.WasmTrapHandlers]: true,
} as const satisfies FuseConfig;

/** Sets the fuses of the binary and reads them back. Throws where it has none, or others. */
export async function setFuses(binary: string): Promise<void> {
  if (!readFileSync(binary).includes('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'))
    throw new Error(`${binary} has no fuses: it is no Electron.`);
  await flipFuses(binary, fuses);
  const wrong = await wrongFuses(binary);
  if (wrong.length > 0)
    throw new Error(`${binary} has other fuses than it should: ${wrong.join(', ')}.`);
}

/** Names of the fuses that differ from what is wanted; a removed fuse cannot be set and counts as well. */
export async function wrongFuses(binary: string): Promise<string[]> {
  const wire = await getCurrentFuseWire(binary);
  const options = Object.values(FuseV1Options).filter((one) => typeof one === 'number');
  return options
    .filter((one) => wire[one] !== (fuses[one] ? FuseState.ENABLE : FuseState.DISABLE))
    .map((one) => FuseV1Options[one]);
}
