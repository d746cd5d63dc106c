import { builds, hostVersion } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import type { BuildFacts } from './build-facts.ts';
import type { Desktop } from '../../platform/desktop.ts';
import type { HostPaths } from '../../platform/paths.ts';
import type { Processes } from '../../platform/processes.ts';
import type { Updater } from '../../platform/updater.ts';
import { publicOnly, type NetworkPolicy } from '../../platform/web/network-policy.ts';
import { DebInstaller } from './deb-installer.ts';
import { desktopUpdater } from './desktop-updater.ts';
import { type Installer, OwnUpdater } from './own-updater.ts';
import type { UpdaterChoice } from './update-service.ts';
import { ZipInstaller } from './zip-installer.ts';

export interface ChannelOptions {
  build: BuildFacts;
  desktop: Desktop | null;
  paths: HostPaths;
  processes: Processes;
  webAllow: readonly string[];
  /** The setting `updateApiBase`. */
  base: () => string;
}

/** Which way this build is updated through the channel that is set, or why through none. */
export function chooseUpdater(options: ChannelOptions): UpdaterChoice {
  const base = options.base();
  return base === ''
    ? { channel: 'public', updater: publicUpdater(options) }
    : { channel: 'intranet', updater: intranetUpdater(options, base) };
}

function publicUpdater(options: ChannelOptions): Updater | HostError {
  const { build, desktop, webAllow } = options;
  const { updatedBy } = builds[build.kind];
  if (updatedBy === 'git') return fromSources();
  if (updatedBy === 'desktop')
    return desktop?.updater ? desktopUpdater(desktop.updater) : unsupported(noWindow);
  if (build.releases === null) return unsupported(noChannel);
  return createOwnUpdater(options, {
    base: build.releases,
    networkPolicy: publicOnly(webAllow),
    sameOrigin: false,
  });
}

function intranetUpdater(options: ChannelOptions, base: string): Updater | HostError {
  const { updatedBy, ownServer } = builds[options.build.kind];
  if (updatedBy === 'git') return fromSources();
  if (!ownServer) return unsupported(noIntranet);
  // Whoever set the address vouches for it.
  const networkPolicy = { loopback: true, private: true, allow: options.webAllow };
  return createOwnUpdater(options, { base, networkPolicy, sameOrigin: true });
}

function createOwnUpdater(
  options: ChannelOptions,
  channel: { base: string; networkPolicy: NetworkPolicy; sameOrigin: boolean },
): Updater | HostError {
  const { build, paths } = options;
  const installer = installerOf(options);
  if (installer instanceof HostError) return installer;
  return new OwnUpdater({
    ...channel,
    build: build.kind,
    arch: build.arch,
    version: hostVersion,
    key: build.releaseKey,
    folder: paths.updates,
    installer,
  });
}

function installerOf({ build, paths, processes }: ChannelOptions): Installer | HostError {
  if (builds[build.kind].updatedBy === 'deb-installer')
    return new DebInstaller({ facts: build, processes });
  if (build.restart === null) return unsupported(notAlone);
  const { workDirectory, updates } = paths;
  return new ZipInstaller({ facts: build, workDirectory, updates });
}

const fromSources = (): HostError =>
  unsupported('This host runs from its sources, which git brings up to date.');

const noWindow =
  'This package is updated by its window. Start it without --headless, or install a newer package by hand.';
const noChannel =
  'This package was made without a place for public releases. Set an update server of your own, or get a newer package where you got this one.';
const noIntranet =
  'An update server of your own serves the portable zip for Windows and the lite package for Debian. Clear its address in the settings, or install a newer package by hand.';
const notAlone =
  'This host was started without a window, or with a token or key of its own, so an update cannot start it again. Start its window without them, then update.';

function unsupported(message: string): HostError {
  return new HostError('conflict', 'unsupported_build', message);
}
