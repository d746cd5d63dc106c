import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { PluginPreview } from '../../../contract/index.ts';
import { fieldProblem } from '../../../core/field-problem.ts';
import { HostError, hostClosing } from '../../../core/host-error.ts';
import { Semaphore } from '../../../core/semaphore.ts';
import { namesOf, readContributions, serversOf } from '../../contributions/index.ts';
import { bytesBelow } from '../../../platform/trees/tree-size.ts';
import { discardTree } from '../../../platform/trees/remove-tree.ts';
import type { CatalogEntry } from '../catalogs/catalog.ts';
import { findEntry } from '../grid/find-entry.ts';
import { packageWarnings } from '../package-warnings.ts';
import { readReadme } from '../grid/read-readme.ts';
import type { SourceService } from '../sources/source-service.ts';
import type { FetchedPlugin } from './fetched-plugin.ts';
import { type EntryTools, fetchEntry } from './fetch-entry.ts';
import { warningsAbout } from './warnings-about.ts';
import { msg } from '../../../messages/index.ts';

type PreviewTools = Omit<EntryTools<PluginPreview>, 'onFetched' | 'requireChecksum'> & {
  sourceService: SourceService;
};

const limitMs = 3 * 60_000;
const atOnce = 2;
const nobody = (): undefined => undefined;

/**
 * Previews plugins of catalogs: fetches and reads them as an installation does, without keeping
 * them.
 */
export class PluginPreviews {
  private readonly tools: PreviewTools;
  private readonly limiter = new Semaphore(atOnce);
  private readonly abortController = new AbortController();
  /** By catalog entry, so that nothing is fetched twice until the catalog is read again. */
  private readonly cache = new WeakMap<CatalogEntry, PluginPreview>();

  constructor(tools: PreviewTools) {
    this.tools = tools;
  }

  /**
   * Takes at most three minutes, and is cancelled when the caller disconnects.
   * @throws HostError 404 `unknown_plugin`, 409 `not_installable`, 502 `look_timeout`, and errors
   * of an installation
   */
  async preview(id: string, caller: AbortSignal): Promise<PluginPreview> {
    const found = findEntry(await this.tools.sourceService.all(), id);
    if (!found)
      throw new HostError('missing', 'unknown_plugin', msg('store.unknownPlugin', { id }));
    const cached = this.cache.get(found.entry);
    if (cached) return cached;
    const onFetched = (fetched: FetchedPlugin, signal: AbortSignal): Promise<PluginPreview> =>
      this.read(fetched, signal);
    // Nothing is kept, so no checksum is needed.
    const work = fetchEntry(id, found, { ...this.tools, onFetched, requireChecksum: false });
    const preview = await this.within(caller, (signal) => work(nobody, signal));
    this.cache.set(found.entry, preview);
    return preview;
  }

  close(): void {
    this.abortController.abort(hostClosing());
  }

  private async within<T>(
    caller: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(tooLate()), limitMs);
    const signal = AbortSignal.any([caller, late.signal, this.abortController.signal]);
    try {
      await this.limiter.acquire(signal);
      try {
        return await work(signal);
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        this.limiter.release();
      }
    } finally {
      clearTimeout(timer);
    }
  }

  private async read(
    { plugin, skipped, checked }: FetchedPlugin,
    signal: AbortSignal,
  ): Promise<PluginPreview> {
    const directory = join(this.tools.staging, `look-${randomUUID()}`);
    try {
      const { manifest, origin } = await plugin.make(directory, signal);
      const copy = { id: plugin.id, directory, origin };
      const contributed = await readContributions(copy);
      const [readme, sizeBytes] = await Promise.all([
        readReadme(directory),
        bytesBelow(directory, signal),
      ]);
      const contents = namesOf(contributed);
      const unusable = await warningsAbout(copy);
      const skippedWarnings = skipped.map(({ name, reason }) =>
        fieldProblem({ path: name, message: reason }),
      );
      const ofContent = contributed.warnings.map(({ part, reason }) =>
        fieldProblem({ path: part, message: reason }),
      );
      const ofPackage = checked === undefined ? [] : await packageWarnings(checked);
      return {
        version: manifest.version,
        permissions: manifest.permissions,
        sizeBytes,
        ...(origin === null ? {} : { commit: origin.commit }),
        ...(readme === null ? {} : { readme }),
        ...(contents === undefined ? {} : { contents }),
        hooks: contributed.hooks,
        servers: serversOf(contributed),
        warnings: [
          ...unusable,
          ...(checked === undefined ? ofContent : ofPackage),
          ...skippedWarnings,
        ],
      };
    } finally {
      await discardTree(directory);
    }
  }
}

function tooLate(): HostError {
  const message = msg('store.previewTimedOut');
  return new HostError('upstream-failed', 'look_timeout', message);
}
