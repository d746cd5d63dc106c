import type { PackageInspection, PluginWarning } from '../../contract/index.ts';
import type { UploadedFile } from '../../http/uploads.ts';
import {
  checkChecksum,
  checkManifest,
  freshPackage,
  inspectionOf,
  type Plugin,
  type PluginHost,
  readPackage,
  refuseReservedIdentity,
  verifyPackage,
} from '../plugins/index.ts';

import { packageWarnings } from './package-warnings.ts';

/** A package on the disk and its hash. */
export type PackageFile = Pick<UploadedFile, 'path' | 'sha256'>;

/** Checks everything before the installed copy is touched. */
export async function installUpload(
  host: PluginHost,
  file: PackageFile,
  checksum: { claimed: string | undefined; required: boolean },
): Promise<{ plugin: Plugin; warnings: PluginWarning[] }> {
  checkChecksum({ actual: file.sha256, ...checksum });
  const checked = await readPackage(file.path);
  refuseReservedIdentity(checked.manifest);
  await checkManifest(checked.manifest);
  const warnings = await packageWarnings(checked);
  return { plugin: await host.install(freshPackage(checked), 'THIRD_PARTY'), warnings };
}

/** Reads the whole package as an installation would, and writes nothing. */
export async function inspectUpload(
  host: PluginHost,
  file: PackageFile,
  claimed: string | undefined,
): Promise<PackageInspection> {
  checkChecksum({ actual: file.sha256, claimed, required: false });
  const checked = await readPackage(file.path);
  await verifyPackage(checked);
  refuseReservedIdentity(checked.manifest);
  await checkManifest(checked.manifest);
  const installed = host.find(checked.manifest.id)?.manifest ?? null;
  const warnings = await packageWarnings(checked);
  return { ...inspectionOf(checked, file.sha256, installed), warnings };
}
