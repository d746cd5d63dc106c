import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { PluginId } from '../../../contract/index.ts';
import { asDiskProblem, codeOf } from '../../../platform/archives/archive-problems.ts';
import { writeWhole } from '../../../platform/whole-file.ts';
import { ChosenPath } from './chosen-path.ts';

const suffix = '.json';

/** The stored settings of one plugin. Each secret is its value as JSON, encrypted. */
export const StoredConfig = z.object({
  values: z.record(z.string(), z.unknown()),
  secrets: z.record(z.string(), z.string()),
  /** The targets of files and folders. For a secret setting the real path is encrypted, too. */
  places: z.record(z.string(), ChosenPath).default({}),
});
export type StoredConfig = z.output<typeof StoredConfig>;

/** Stores settings in `<directory>/<plugin id>.json`, readable only for the owner. */
export class ConfigFiles {
  private readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  /** Calls `onUnreadable` with the id of each plugin whose file cannot be used. */
  async all(onUnreadable: (id: string) => void): Promise<Map<string, StoredConfig>> {
    const found = new Map<string, StoredConfig>();
    const names = await readdir(this.directory).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    });
    for (const name of names.filter((one) => one.endsWith(suffix))) {
      const id = name.slice(0, -suffix.length);
      if (!PluginId.safeParse(id).success) continue;
      try {
        const text = await readFile(join(this.directory, name), 'utf8');
        found.set(id, StoredConfig.parse(JSON.parse(text)));
      } catch {
        onUnreadable(id);
      }
    }
    return found;
  }

  async write(id: string, config: StoredConfig): Promise<void> {
    const text = `${JSON.stringify(config, null, 2)}\n`;
    try {
      await mkdir(this.directory, { recursive: true, mode: 0o700 });
      await writeWhole(this.file(id), (draft) => writeFile(draft, text));
    } catch (error) {
      throw asDiskProblem(error);
    }
  }

  remove(id: string): Promise<void> {
    return rm(this.file(id), { force: true });
  }

  private file(id: string): string {
    return join(this.directory, `${id}${suffix}`);
  }
}
