import { chmod, copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { HostError } from '../../core/host-error.ts';
import { unpackBodies } from '../../platform/archives/archive-bodies.ts';
import { makeDirectories, withArchive } from '../../platform/archives/archive-file.ts';
import {
  archiveLimits,
  type ArchiveRules,
  readIndex,
} from '../../platform/archives/archive-index.ts';
import { nameProblem, sameNameKey } from '../../platform/archives/archive-names.ts';
import type { BuildFacts } from './build-facts.ts';
import { requireDiskSpace } from '../../platform/disk-space.ts';
import { startOutliving } from '../../platform/outliving-process.ts';
import type { SwapPlan } from '../../platform/swap-plan.ts';
import type { Installer } from './own-updater.ts';
import { invalidRelease, type Release } from './release.ts';
import { type SwapFiles, swapFiles } from './swap-files.ts';
import { type Message, msg } from '../../messages/index.ts';

const maxEntries = 20_000;
const ownerAlone = 0o700;

const rules: ArchiveRules = {
  ...archiveLimits(maxEntries),
  nameProblem,
  nameKey: sameNameKey,
};

/** The old version may take a while to exit, and a new one to migrate its database. */
const usualLimits: SwapPlan['limits'] = { exitMs: 60_000, renameMs: 30_000, startMs: 180_000 };

type Facts = Pick<BuildFacts, 'folder' | 'node' | 'swapProgram' | 'restart' | 'end'>;

/** Dependencies of the installer of `.zip` builds; all paths are absolute. */
export interface ZipInstallerOptions {
  facts: Facts;
  /** The data folder: never inside the folder that is replaced. */
  workDirectory: string;
  /** Folder for the swap program and its messages. */
  updates: string;
}

/** Unpacks a portable zip beside the program and lets another process swap the two folders. */
export class ZipInstaller implements Installer {
  private readonly options: ZipInstallerOptions;
  private readonly files: SwapFiles;

  constructor(options: ZipInstallerOptions) {
    this.options = options;
    this.files = swapFiles(options.updates);
  }

  async prepare(): Promise<void> {
    const { folder } = this.options.facts;
    const way = relative(folder, this.options.workDirectory);
    if (!way.startsWith('..') && way !== this.options.workDirectory)
      throw notReplaceable(msg('updates.dataInside', { folder }));
    await this.makeStaged();
    await this.dropStaged();
  }

  async stage(file: string, _release: Release, signal: AbortSignal): Promise<void> {
    try {
      await this.makeStaged();
      await withArchive(file, (archive) => this.unpack(archive, signal));
    } catch (error) {
      await this.dropStaged();
      const isArchive = error instanceof HostError && error.code === 'invalid_package';
      throw isArchive ? invalidRelease(msg('updates.notArchive'), error) : error;
    }
  }

  command(): undefined {
    return undefined;
  }

  async restart(_file: string, { version }: Release): Promise<void> {
    const { facts, updates } = this.options;
    const { folder, node, swapProgram, restart } = facts;
    if (restart === null) throw notReplaceable(msg('updates.cannotRestart'));
    const plan: SwapPlan = {
      version,
      pid: process.pid,
      folder,
      staged: this.staged,
      previous: `${folder}.previous`,
      start: { ...restart, cwd: process.cwd() },
      startedFile: this.files.started,
      outcomeFile: this.files.outcome,
      limits: usualLimits,
    };
    await Promise.all(
      [this.files.started, this.files.outcome].map((file) => rm(file, { force: true })),
    );
    // The swap program must not use files of the folder that is replaced.
    const runner = join(updates, basename(node));
    const program = join(updates, basename(swapProgram));
    await copyFile(node, runner);
    await chmod(runner, ownerAlone);
    await copyFile(swapProgram, program);
    await writeFile(this.files.plan, JSON.stringify(plan), { mode: 0o600 });
    await startOutliving({
      program: runner,
      args: [program, this.files.plan],
      cwd: updates,
      logFile: join(updates, 'swap.log'),
    });
    // Sends the response of the request first.
    setImmediate(() => facts.end());
  }

  private get staged(): string {
    return `${this.options.facts.folder}.update`;
  }

  private async makeStaged(): Promise<void> {
    try {
      await this.dropStaged();
      await mkdir(this.staged, { mode: ownerAlone });
    } catch (cause) {
      const parentFolder = dirname(this.staged);
      throw notReplaceable(msg('updates.notWritable', { folder: parentFolder }), cause);
    }
  }

  private dropStaged(): Promise<void> {
    return rm(this.staged, { recursive: true, force: true, maxRetries: 3 });
  }

  private async unpack(archive: FileHandle, signal: AbortSignal): Promise<void> {
    const { size } = await archive.stat();
    const { entries, unpackedBytes } = await readIndex(archive, size, rules);
    const { folder, restart } = this.options.facts;
    const program = relative(folder, restart?.program ?? '').replaceAll('\\', '/');
    if (!entries.some(({ name, directory }) => name === program && !directory))
      throw invalidRelease(msg('updates.archiveLacks', { file: program }));
    await requireDiskSpace(this.staged, unpackedBytes, msg('updates.theUnpackedUpdate'));
    await makeDirectories(this.staged, entries);
    const targetOf = ({ name }: { name: string }): string => join(this.staged, name);
    await unpackBodies({ archive, entries, targetOf, signal });
    for (const entry of entries)
      if (entry.executable && !entry.directory) await chmod(targetOf(entry), 0o755);
  }
}

function notReplaceable(message: Message, cause?: unknown): HostError {
  return new HostError('conflict', 'update_not_possible', message, { cause });
}
