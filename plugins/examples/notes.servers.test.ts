import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packPlugin } from '../../plugin-kit/pack.ts';
import { startHostOn } from '../../service/testing/database-plugin.ts';
import { serverDatabases } from '../../service/testing/database-servers/index.ts';
import { invoke, upload } from '../../service/testing/sample-plugin.ts';
import { useFolder } from '../../service/testing/use-for-file.ts';

const folder = await useFolder('notes-package-');
const { id, file } = await packPlugin({
  source: join(import.meta.dirname, 'notes'),
  output: join(folder, 'notes.plugin'),
  kit: join(import.meta.dirname, '../../plugin-kit'),
});

describe.each(serverDatabases)('the example notes on $type', ({ make }) => {
  it('keeps, finds and deletes notes in the database that the host gives it', async () => {
    const made = await make();
    const host = await startHostOn(made.config);
    try {
      await upload(host, await readFile(file));
      const added = await invoke(host, id, 'add', { text: '100% Wolle 羊毛' });
      await invoke(host, id, 'add', { text: '1000 screws' });
      const found = await invoke(host, id, 'search', { words: '100%' });
      expect(found).toEqual([
        expect.objectContaining({ ...(added as object), text: '100% Wolle 羊毛' }),
      ]);
      expect(await invoke(host, id, 'remove', added)).toEqual({ removed: true });
      expect(await invoke(host, id, 'search', {})).toHaveLength(1);
    } finally {
      await host.close();
      await made.cleanUp();
    }
  });
});
