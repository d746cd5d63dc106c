import type { ConvertedPackage, PackageInspection, PluginWarning } from '../../contract/index.ts';
import {
  acceptPackage,
  inspectionOf,
  type PackageAcceptance,
  type PackageFile,
  type Plugin,
  type PluginHost,
  verifyPackage,
} from '../plugins/index.ts';
import { type UploadConverter, withPackage } from './converted-upload.ts';
import { packageWarnings } from './package-warnings.ts';

/** Installs an upload, after all checks have passed. */
export async function installUpload(
  host: PluginHost,
  file: PackageFile,
  acceptance: Omit<PackageAcceptance, 'trust'>,
): Promise<{ plugin: Plugin; warnings: PluginWarning[] }> {
  const { plugin, checked } = await acceptPackage(file, { ...acceptance, trust: 'outside' });
  const warnings = await packageWarnings(checked);
  return { plugin: await host.install(plugin), warnings };
}

/** Dependencies of installing an upload. */
export interface UploadTarget {
  host: PluginHost;
  converter: UploadConverter;
}

/** The same for a person's upload, which may also be an MCP bundle or a zipped plugin of Claude Code. */
export function installAnyUpload(
  { host, converter }: UploadTarget,
  file: PackageFile,
  checksum: PackageAcceptance['checksum'],
): Promise<{ plugin: Plugin; warnings: PluginWarning[]; converted?: ConvertedPackage }> {
  return withPackage(file, checksum, converter, async (packed, converted) => {
    const installed = await installUpload(host, packed, { checksum: alreadyChecked });
    return converted === undefined ? installed : { ...installed, converted };
  });
}

const alreadyChecked = { claimed: undefined, required: false };

/** Reads an upload as `installAnyUpload` does, without installing anything. */
export function inspectUpload(
  { host, converter }: UploadTarget,
  file: PackageFile,
  claimed: string | undefined,
): Promise<PackageInspection> {
  const checksum = { claimed, required: false };
  return withPackage(file, checksum, converter, async (packed, converted) => {
    const acceptance = { trust: 'outside', checksum: alreadyChecked } as const;
    const { checked } = await acceptPackage(packed, acceptance);
    await verifyPackage(checked);
    const installed = host.find(checked.manifest.id)?.manifest ?? null;
    const warnings = await packageWarnings(checked);
    const inspection = { ...inspectionOf(checked, file.sha256, installed), warnings };
    return converted === undefined ? inspection : { ...inspection, converted };
  });
}
