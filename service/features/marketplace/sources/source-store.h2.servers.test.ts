import { describe, expect, it } from 'vitest';
import { migrate } from '../../../platform/database/migrate.ts';
import { everyDatabase } from '../../../testing/database-servers/index.ts';
import { useDatabase } from '../../../testing/use-database.ts';
import { type SourceRow, SourceStore } from './source-store.ts';

const row = (id: string, change: Partial<SourceRow> = {}): SourceRow => ({
  id,
  kind: 'CLAUDE',
  kindSpecified: false,
  url: `https://example.com/${id}`,
  ref: null,
  publicKey: null,
  enabled: true,
  addedAt: new Date('2026-01-02T03:04:05.678Z'),
  ...change,
});

describe.each(everyDatabase)('on $type', (type) => {
  const used = useDatabase(type);

  it('sources are read as they were added, in that order', async () => {
    await migrate(used.current);
    const sources = new SourceStore(used.current);
    const rows = [
      row('zoë-first'),
      row('second', {
        ref: 'release/1.x',
        publicKey: '-----BEGIN PUBLIC KEY-----\nA\n',
        addedAt: new Date('2026-02-02T03:04:05.678Z'),
      }),
      row('a-third', {
        kind: 'AGENTS',
        kindSpecified: true,
        enabled: false,
        url: `file:///${'x'.repeat(1_900)}`,
        addedAt: new Date('2026-03-02T03:04:05.678Z'),
      }),
    ];
    for (const one of rows) await sources.add(one);
    expect(await sources.all()).toEqual(rows);
    await sources.change('second', { enabled: false });
    await sources.change('second', { enabled: false });
    await sources.change('zoë-first', { kind: 'AGENTS' });
    await sources.remove('a-third');
    await sources.remove('a-third');
    expect(await sources.all()).toEqual([
      { ...rows[0], kind: 'AGENTS' },
      { ...rows[1], enabled: false },
    ]);
  });
});
