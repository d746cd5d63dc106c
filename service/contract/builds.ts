import { z } from 'zod';

/**
 * Properties of one package format of this program. Its display name is in the message catalogs.
 */
interface Build {
  /** Updater that installs a newer version. */
  updatedBy: 'deb-installer' | 'zip-installer' | 'desktop' | 'git';
  /** True if a custom update server can serve this package. */
  ownServer: boolean;
  /** True if the previous version is restored when the new one does not start. */
  comesBack: boolean;
}

/** Package formats; each has its own update. Built by `scripts/package.ts`. */
export const builds = {
  'lite-deb': {
    updatedBy: 'deb-installer',
    ownServer: true,
    comesBack: true,
  },
  deb: {
    updatedBy: 'desktop',
    ownServer: false,
    comesBack: false,
  },
  zip: {
    updatedBy: 'zip-installer',
    ownServer: false,
    comesBack: true,
  },
  appimage: {
    updatedBy: 'desktop',
    ownServer: false,
    comesBack: false,
  },
  rpm: {
    updatedBy: 'desktop',
    ownServer: false,
    comesBack: false,
  },
  'win-setup': {
    updatedBy: 'desktop',
    ownServer: false,
    comesBack: false,
  },
  'win-zip': {
    updatedBy: 'zip-installer',
    ownServer: true,
    comesBack: true,
  },
  'mac-zip': {
    updatedBy: 'desktop',
    ownServer: false,
    comesBack: false,
  },
  dev: {
    updatedBy: 'git',
    ownServer: false,
    comesBack: false,
  },
} as const satisfies Record<string, Build>;

/** Package format of this program; `dev` runs from sources. */
export const BuildKind = z.enum(Object.keys(builds) as (keyof typeof builds)[]);
export type BuildKind = z.output<typeof BuildKind>;
