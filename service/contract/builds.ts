import { z } from 'zod';

/** A package of this program, and all that the program and its page know of it; its name is in the catalogs. */
interface Build {
  /** The updater that installs a newer version. */
  updatedBy: 'deb-installer' | 'zip-installer' | 'desktop' | 'git';
  /** An update server of one's own may serve it. */
  ownServer: boolean;
  /** The version from before comes back where the new one does not start. */
  comesBack: boolean;
}

/** The update of one is not the update of another. How they are made: `scripts/package.ts`. */
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

/** Which package this program is part of; `dev`: it runs from its sources. */
export const BuildKind = z.enum(Object.keys(builds) as (keyof typeof builds)[]);
export type BuildKind = z.output<typeof BuildKind>;
