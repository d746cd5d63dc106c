import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { PluginLook } from '../../../contract/index.ts';
import { HostError, hostClosing } from '../../../core/host-error.ts';
import { Slots } from '../../../core/slots.ts';
import { namesOf, readBrought, serversOf } from '../../contributions/index.ts';
import { bytesBelow } from '../../../platform/trees/tree-size.ts';
import { discardTree } from '../../../platform/trees/remove-tree.ts';
import type { CatalogEntry } from '../catalogs/catalog.ts';
import { findEntry } from '../grid/find-entry.ts';
import { packageWarnings } from '../package-warnings.ts';
import { readReadme } from '../grid/read-readme.ts';
import type { SourceBook } from '../sources/source-book.ts';
import type { Fetched } from './take-in.ts';
import { type EntryTools, takeInEntry } from './take-in-entry.ts';
import { warningsAbout } from './warnings-about.ts';

type LookTools = Omit<EntryTools<PluginLook>, 'take' | 'requireChecksum'> & { book: SourceBook };

const limitMs = 3 * 60_000;
const atOnce = 2;
const nobody = (): undefined => undefined;

/** What plugins of the catalogs would bring: fetched and read as for an installation, and not kept. */
export class Looks {
  private readonly tools: LookTools;
  private readonly slots = new Slots(atOnce);
  private readonly ending = new AbortController();
  /** By what the catalogue says, so that nothing is fetched twice until it is read anew. */
  private readonly known = new WeakMap<CatalogEntry, PluginLook>();

  constructor(tools: LookTools) {
    this.tools = tools;
  }

  /**
   * At most three minutes, and no longer than the caller is there.
   * @throws HostError 404 `unknown_plugin`, 409 `not_installable`, 502 `look_timeout`, and as installing
   */
  async look(id: string, caller: AbortSignal): Promise<PluginLook> {
    const found = findEntry(await this.tools.book.all(), id);
    if (!found) throw new HostError('missing', 'unknown_plugin', `No source has the plugin ${id}.`);
    const known = this.known.get(found.entry);
    if (known) return known;
    const take = (fetched: Fetched, signal: AbortSignal): Promise<PluginLook> =>
      this.read(fetched, signal);
    // Nothing of it is kept, so nothing of it needs to be proved.
    const work = takeInEntry(id, found, { ...this.tools, take, requireChecksum: false });
    const look = await this.within(caller, (signal) => work(nobody, signal));
    this.known.set(found.entry, look);
    return look;
  }

  close(): void {
    this.ending.abort(hostClosing());
  }

  private async within<T>(
    caller: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(tooLate()), limitMs);
    const signal = AbortSignal.any([caller, late.signal, this.ending.signal]);
    try {
      await this.slots.take(signal);
      try {
        return await work(signal);
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        this.slots.give();
      }
    } finally {
      clearTimeout(timer);
    }
  }

  private async read(
    { plugin, skipped, checked }: Fetched,
    signal: AbortSignal,
  ): Promise<PluginLook> {
    const directory = join(this.tools.staging, `look-${randomUUID()}`);
    try {
      const { manifest, origin } = await plugin.make(directory, signal);
      const copy = { id: plugin.id, directory, origin };
      const brought = await readBrought(copy);
      const [readme, sizeBytes] = await Promise.all([
        readReadme(directory),
        bytesBelow(directory, signal),
      ]);
      const contents = namesOf(brought);
      const unusable = await warningsAbout(copy);
      const leftOut = skipped.map(({ name, reason }) => ({ path: name, message: reason }));
      const ofContent = brought.warnings.map(({ part, reason }) => ({
        path: part,
        message: reason,
      }));
      const ofPackage = checked === undefined ? [] : await packageWarnings(checked);
      return {
        version: manifest.version,
        permissions: manifest.permissions,
        sizeBytes,
        ...(origin === null ? {} : { commit: origin.commit }),
        ...(readme === null ? {} : { readme }),
        ...(contents === undefined ? {} : { contents }),
        hooks: brought.hooks,
        servers: serversOf(brought),
        warnings: [...unusable, ...(checked === undefined ? ofContent : ofPackage), ...leftOut],
      };
    } finally {
      await discardTree(directory);
    }
  }
}

function tooLate(): HostError {
  const message =
    'Fetching the plugin took longer than three minutes. Try again, or install it, which may take longer.';
  return new HostError('upstream-failed', 'look_timeout', message);
}
