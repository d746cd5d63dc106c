import { api, type Settings, type SettingsPatch } from '../../contract/index.ts';
import type { Client } from '../../client/index.ts';
import type { Attempts } from './attempt.ts';
import { Cell } from './cell.ts';

/** Settings that one request changes to the same number, so that they must never differ. */
interface Group {
  patchOf(text: string): SettingsPatch;
  textsOf(settings: Settings): (string | undefined)[];
}

const groups: Group[] = [
  {
    patchOf: (text) => ({
      permissionRules: { deny: `# ${text}`, allow: `# ${text}` },
      workspaceDirectory: text,
    }),
    textsOf: ({ permissionRules, workspaceDirectory }) => [
      permissionRules.deny.slice(2),
      permissionRules.allow.slice(2),
      workspaceDirectory,
    ],
  },
  {
    patchOf: (text) => ({ pinnedPlugins: [text, text], updateApiBase: `http://host/${text}` }),
    textsOf: ({ pinnedPlugins, updateApiBase }) => [
      pinnedPlugins[0],
      pinnedPlugins[1],
      updateApiBase.slice('http://host/'.length),
    ],
  },
];

export class SettingWriters {
  private readonly cells = groups.map(() => new Cell<number>(0));
  private last = 0;

  async work(client: Client, attempts: Attempts): Promise<void> {
    const writing = groups.map(async ({ patchOf }, index) => {
      const cell = this.cells[index]!;
      while (!attempts.stopped) {
        const next = (this.last += 1);
        cell.startChange(next);
        const body = patchOf(String(next));
        const outcome = await attempts.make(() => client.call(api.settings.put, { body }));
        if (outcome !== 'lost') cell.acknowledge(next);
      }
    });
    await Promise.all(writing);
  }

  /**
   * Checks that each group has its last acknowledged value or one that was requested since then.
   */
  async check(client: Client): Promise<void> {
    const settings = await client.call(api.settings.get);
    groups.forEach(({ textsOf }, index) => {
      const texts = textsOf(settings).map((text) => text || '0');
      if (new Set(texts).size !== 1) throw new Error(`Settings are torn: ${texts.join(', ')}`);
      this.cells[index]!.see(Number(texts[0]));
    });
  }
}
