import type { PackagePath } from '../../state/view.ts';

/** A checksum file is a line of text, so a larger file is something else. */
const MAX_SIDECAR_BYTES = 4_096;

/** Packages, and archives that the host converts into packages. */
const packageName = /\.(?:plugin|mcpb|dxt|zip)$/i;

/** The files chosen for an installation. `problem` is a message key. */
export type ChosenFiles =
  | { kind: 'package'; file: File; sidecar: File | null }
  | { kind: 'native'; path: string }
  | { kind: 'sidecar'; sidecar: File }
  | {
      kind: 'problem';
      problem: 'install.noPackage' | 'install.manyPackages' | 'install.longSidecar';
    };

export const chosenOf = (install: File[] | PackagePath): ChosenFiles =>
  'path' in install ? { kind: 'native', path: install.path } : sortFiles(install);

/** Finds the package and its checksum file among the chosen files. */
export function sortFiles(files: File[]): ChosenFiles {
  const packages = files.filter(({ name }) => packageName.test(name));
  const sidecars = files.filter(({ name }) => name.toLowerCase().endsWith('.sha256'));
  const [file] = packages;
  if (packages.length > 1) return { kind: 'problem', problem: 'install.manyPackages' };
  const sidecar = sidecars.find(({ name }) => name === `${file?.name}.sha256`) ?? sidecars[0];
  if (sidecar && sidecar.size > MAX_SIDECAR_BYTES) {
    return { kind: 'problem', problem: 'install.longSidecar' };
  }
  if (file) return { kind: 'package', file, sidecar: sidecar ?? null };
  if (sidecar) return { kind: 'sidecar', sidecar };
  return { kind: 'problem', problem: 'install.noPackage' };
}
