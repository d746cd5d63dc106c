import type { PackageInspection, PluginWarning } from '../../contract/index.ts';
import {
  acceptPackage,
  inspectionOf,
  type PackageAcceptance,
  type PackageFile,
  type Plugin,
  type PluginHost,
  verifyPackage,
} from '../plugins/index.ts';
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

/** Reads a package as an installation does, without writing anything. */
export async function inspectUpload(
  host: PluginHost,
  file: PackageFile,
  claimed: string | undefined,
): Promise<PackageInspection> {
  const checksum = { claimed, required: false };
  const { checked } = await acceptPackage(file, { trust: 'outside', checksum });
  await verifyPackage(checked);
  const installed = host.find(checked.manifest.id)?.manifest ?? null;
  const warnings = await packageWarnings(checked);
  return { ...inspectionOf(checked, file.sha256, installed), warnings };
}
