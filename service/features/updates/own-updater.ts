import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildKind } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import { guardedDownload } from '../../platform/web/guarded-download.ts';
import { guardedFetch } from '../../platform/web/guarded-fetch.ts';
import type { NetworkPolicy } from '../../platform/web/network-policy.ts';
import { requireDiskSpace } from '../../platform/disk-space.ts';
import { sha256Of } from '../../platform/sha256-of.ts';
import {
  invalidRelease,
  isNewer,
  maxReleaseBytes,
  readRelease,
  type Release,
  releaseName,
} from './release.ts';
import type { Offer, Updater } from '../../platform/updater.ts';
import { msg } from '../../messages/index.ts';

/** Installs a verified package. */
export interface Installer {
  /**
   * Called before anything is downloaded. @throws HostError if the update could not be installed
   */
  prepare(): Promise<void>;
  /** Checks the file and prepares the installation. */
  stage(file: string, release: Release, signal: AbortSignal): Promise<void>;
  command(file: string, release: Release): string | undefined;
  restart(file: string, release: Release): Promise<void>;
}

/** Source, limits and installer of the updater for builds without a public channel. */
export interface OwnUpdaterOptions {
  /** Address of the folder with the release descriptions and the packages. */
  base: string;
  networkPolicy: NetworkPolicy;
  /** True if redirects must stay on the server of `base`. */
  sameOrigin: boolean;
  build: BuildKind;
  arch: string;
  version: string;
  key: string | null;
  /** The download folder; it is emptied before the next download. */
  folder: string;
  installer: Installer;
  limits?: Partial<Limits>;
}

interface Limits {
  checkMs: number;
  downloadMs: number;
}

const usualLimits: Limits = { checkMs: 30_000, downloadMs: 3_600_000 };

/** Reads release descriptions and downloads packages from a folder on a server. */
export class OwnUpdater implements Updater {
  private readonly options: OwnUpdaterOptions;
  private readonly limits: Limits;
  private found: Release | null = null;
  private downloaded: string | null = null;

  constructor(options: OwnUpdaterOptions) {
    this.options = options;
    this.limits = { ...usualLimits, ...options.limits };
  }

  async check(signal: AbortSignal): Promise<Offer | null> {
    const { build, arch, key, version, folder } = this.options;
    this.found = null;
    this.downloaded = null;
    const { status, body } = await guardedFetch(this.addressOf(releaseName(build, arch)), {
      networkPolicy: this.options.networkPolicy,
      sameOrigin: this.options.sameOrigin,
      signal,
      maxBytes: maxReleaseBytes,
      timeoutMs: this.limits.checkMs,
    });
    requireFound(status, releaseName(build, arch));
    const release = readRelease(body, { build, arch, key });
    if (!isNewer(release.version, version)) {
      await rm(folder, { recursive: true, force: true });
      return null;
    }
    this.found = release;
    return { version: release.version, sizeBytes: release.sizeBytes };
  }

  async download(onPercent: (percent: number) => void, signal: AbortSignal): Promise<void> {
    const { folder, installer } = this.options;
    const release = this.found;
    if (release === null) throw notReady();
    await installer.prepare();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await requireDiskSpace(folder, release.sizeBytes, msg('updates.theUpdate'));
    const file = join(folder, release.file);
    try {
      await this.fetch(release, file, { onPercent, signal });
      await installer.stage(file, release, signal);
    } catch (error) {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
      throw error;
    }
    this.downloaded = file;
  }

  command(): string | undefined {
    const { found, downloaded } = this;
    if (found === null || downloaded === null) return undefined;
    return this.options.installer.command(downloaded, found);
  }

  async restart(): Promise<void> {
    const { found, downloaded } = this;
    if (found === null || downloaded === null) throw notReady();
    // Days may have passed since the file was verified.
    const hash = await sha256Of(downloaded).catch(() => null);
    if (hash !== found.sha256) throw damaged();
    await this.options.installer.restart(downloaded, found);
  }

  private async fetch(
    { sizeBytes, sha256, file: name }: Release,
    file: string,
    { onPercent, signal }: { onPercent: (percent: number) => void; signal: AbortSignal },
  ): Promise<void> {
    const got = await guardedDownload(this.addressOf(name), file, {
      networkPolicy: this.options.networkPolicy,
      sameOrigin: this.options.sameOrigin,
      signal,
      maxBytes: sizeBytes,
      timeoutMs: this.limits.downloadMs,
      onProgress: (received) => onPercent(Math.floor((received / sizeBytes) * 100)),
    });
    requireFound(got.status, name);
    if (got.sizeBytes !== sizeBytes)
      throw invalidRelease(
        msg('updates.wrongSize', { file: name, bytes: got.sizeBytes, expected: sizeBytes }),
      );
    if (got.sha256 !== sha256) throw invalidRelease(msg('updates.wrongChecksum', { file: name }));
  }

  private addressOf(name: string): string {
    const base = new URL(this.options.base);
    if (!base.pathname.endsWith('/')) base.pathname += '/';
    return new URL(encodeURIComponent(name), base).href;
  }
}

function requireFound(status: number, name: string): void {
  if (status >= 200 && status <= 299) return;
  throw invalidRelease(msg('updates.wrongStatus', { file: name, status }));
}

export function damaged(): HostError {
  const message = msg('updates.damaged');
  return new HostError('conflict', 'update_damaged', message);
}

export function notReady(): HostError {
  const message = msg('updates.notReady');
  return new HostError('conflict', 'update_not_ready', message);
}
