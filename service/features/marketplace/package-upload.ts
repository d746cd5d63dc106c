import type { Conversion, PackageInspection, PluginWarning } from '../../contract/index.ts';
import {
  acceptPackage,
  checkChecksum,
  type ConversionPlaces,
  inspectionOf,
  type PackageFile,
  type Plugin,
  type PluginHost,
  verifyPackage,
  withConverted,
} from '../plugins/index.ts';
import { packageWarnings } from './package-warnings.ts';

export interface UploadTarget {
  host: PluginHost;
  /** Where plugins of other programs become packages. */
  places: ConversionPlaces;
}

export interface InstalledUpload {
  plugin: Plugin;
  warnings: PluginWarning[];
  conversion?: Conversion;
}

/** Checks everything before the installed copy is touched. */
export async function installUpload(
  { host, places }: UploadTarget,
  file: PackageFile,
  checksum: { claimed: string | undefined; required: boolean },
): Promise<InstalledUpload> {
  checkChecksum(file.sha256, checksum);
  return withConverted(file, places, async (converted, conversion) => {
    const own = { claimed: converted.sha256, required: true };
    const { plugin, checked } = await acceptPackage(converted, { trust: 'outside', checksum: own });
    const warnings = await packageWarnings(checked);
    const installed = { plugin: await host.install(plugin), warnings };
    return conversion === undefined ? installed : { ...installed, conversion };
  });
}

/** Reads the whole package as an installation would, and changes nothing. */
export async function inspectUpload(
  { host, places }: UploadTarget,
  file: PackageFile,
  claimed: string | undefined,
): Promise<PackageInspection> {
  checkChecksum(file.sha256, { claimed, required: false });
  return withConverted(file, places, async (converted, conversion) => {
    const own = { claimed: converted.sha256, required: true };
    const { checked } = await acceptPackage(converted, { trust: 'outside', checksum: own });
    await verifyPackage(checked);
    const installed = host.find(checked.manifest.id)?.manifest ?? null;
    const warnings = await packageWarnings(checked);
    const inspection = { ...inspectionOf(checked, file.sha256, installed), warnings };
    return conversion === undefined ? inspection : { ...inspection, conversion };
  });
}
