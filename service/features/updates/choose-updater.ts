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
import { type Message, msg } from '../../messages/index.ts';

/** The facts that decide how this build is updated. */
export interface ChannelOptions {
  build: BuildFacts;
  desktop: Desktop | null;
  paths: HostPaths;
  processes: Processes;
  webAllow: readonly string[];
  /** Returns the setting `updateApiBase`. */
  base: () => string;
}

/**
 * Returns the updater of this build for the configured channel, or the reason why there is none.
 */
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
  // The person who set the address vouches for it.
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

const fromSources = (): HostError => unsupported(msg('updates.fromSources'));

const noWindow = msg('updates.noWindow');
const noChannel = msg('updates.noChannel');
const noIntranet = msg('updates.noIntranet');
const notAlone = msg('updates.notAlone');

function unsupported(message: Message): HostError {
  return new HostError('conflict', 'unsupported_build', message);
}
