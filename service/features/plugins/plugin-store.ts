import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Mutex } from 'async-mutex';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import type { Log } from '../../platform/log.ts';

const Row = z.object({ enabled: z.boolean(), source: z.enum(['OFFICIAL', 'THIRD_PARTY']) });

/** Ids are keys. A record of another shape does not belong to this host. */
const Content = z.object({
  plugins: z.record(z.string(), Row),
  /** The newest version of each built-in plugin that was ever installed here. */
  seeded: z.record(z.string(), z.string()),
});

/** Stored state of an installed plugin. */
export interface PluginRow extends z.output<typeof Row> {
  id: string;
}

/** Stored plugins, and the versions that were installed from the host itself, by id. */
export interface PluginRows {
  plugins: PluginRow[];
  seeded: Map<string, string>;
}

/**
 * The stored state of installed plugins beyond their packages, including which built-in ones were
 * ever seeded. The file is beside the packages, because installed plugins belong to the working
 * directory and not to the current database. A change is on disk when it resolves.
 */
export class PluginStore {
  private readonly file: string;
  private readonly rows: Map<string, PluginRow>;
  private readonly seeds: Map<string, string>;
  private readonly lock = new Mutex();

  private constructor(file: string, { plugins, seeded }: PluginRows) {
    this.file = file;
    this.rows = new Map(plugins.map((row) => [row.id, row]));
    this.seeds = new Map(seeded);
  }

  /**
   * `earlier` provides the rows if there is no file yet. A file that cannot be parsed or created is
   * logged; the next change creates it.
   */
  static async open(
    file: string,
    earlier: () => Promise<PluginRows>,
    log: Pick<Log, 'warn'>,
  ): Promise<PluginStore> {
    const stored = await readRows(file);
    if (stored === 'broken')
      log.warn('plugins', `${basename(file)} cannot be read, so plugins may be enabled again`);
    if (stored !== null && stored !== 'broken') return new PluginStore(file, stored);
    const store = new PluginStore(file, await earlier());
    await store.save().catch((error: unknown) => {
      log.warn('plugins', `${basename(file)} cannot be written now: ${String(error)}`);
    });
    return store;
  }

  all(): Promise<PluginRow[]> {
    return Promise.resolve([...this.rows.values()].map((row) => ({ ...row })));
  }

  /** Adds the row, or returns the existing one. */
  ensure(row: PluginRow): Promise<PluginRow> {
    return this.change(() => {
      const { id, enabled, source } = this.rows.get(row.id) ?? row;
      this.rows.set(id, { id, enabled, source });
      return { id, enabled, source };
    });
  }

  setEnabled(id: string, enabled: boolean): Promise<void> {
    return this.change(() => {
      const row = this.rows.get(id);
      if (row) this.rows.set(id, { ...row, enabled });
    });
  }

  remove(id: string): Promise<void> {
    return this.change(() => void this.rows.delete(id));
  }

  seeded(): Promise<ReadonlyMap<string, string>> {
    return Promise.resolve(new Map(this.seeds));
  }

  markSeeded(id: string, version: string): Promise<void> {
    return this.change(() => void this.seeds.set(id, version));
  }

  /** A change that cannot be stored does not take effect. */
  private change<T>(work: () => T): Promise<T> {
    return this.lock.runExclusive(async () => {
      const before = { rows: [...this.rows], seeds: [...this.seeds] };
      const result = work();
      try {
        await this.save();
      } catch (error) {
        refill(this.rows, before.rows);
        refill(this.seeds, before.seeds);
        throw error;
      }
      return result;
    });
  }

  private save(): Promise<void> {
    const plugins = [...this.rows.values()].map(({ id, enabled, source }) => [
      id,
      { enabled, source },
    ]);
    const content: z.output<typeof Content> = {
      plugins: Object.fromEntries(plugins) as Record<string, z.output<typeof Row>>,
      seeded: Object.fromEntries(this.seeds),
    };
    return writeFileAtomic(this.file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  }
}

function refill<K, V>(map: Map<K, V>, entries: [K, V][]): void {
  map.clear();
  for (const [key, value] of entries) map.set(key, value);
}

/** Returns null if there is no file. */
async function readRows(file: string): Promise<PluginRows | 'broken' | null> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const found = Content.safeParse(parsed(text));
  if (!found.success) return 'broken';
  const { plugins, seeded } = found.data;
  return {
    plugins: Object.entries(plugins).map(([id, row]) => ({ id, ...row })),
    seeded: new Map(Object.entries(seeded)),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
