import { describe, expect, it } from 'vitest';
import type { Workflow } from '../../contract/index.ts';
import { migrate, migrations } from '../../platform/database/migrate.ts';
import { everyDatabase } from '../../testing/database-servers/index.ts';
import { fillTables } from '../../testing/released-schemas.ts';
import { useDatabase } from '../../testing/use-database.ts';
import { type WorkflowQuery, WorkflowStore } from './workflow-store.ts';

const step = { title: 'Größe 🙂', tool: 'delay', arguments: { seconds: 1 }, dependsOn: [] };
const workflow = (number: number, change: Partial<Workflow> = {}): Workflow => ({
  id: `id-${number}`,
  name: `Größe ${number} 🙂`,
  description: 'two\nlines "so"',
  inputSchema: { type: 'object', properties: { ä: {} } },
  plan: { steps: [step] },
  layout: { '0': { x: 1.5, y: -2 } },
  published: false,
  revision: 1,
  owner: 1,
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: `2026-01-0${number}T03:04:05.678Z`,
  ...change,
});

describe.each(everyDatabase)('on $type', (type) => {
  const used = useDatabase(type);

  it('a workflow and its revisions are read as they were stored', async () => {
    await migrate(used.current);
    const store = new WorkflowStore(used.current);
    const large = { nodes: [{ id: 'x', data: { text: `${'y'.repeat(900_000)}🙂\0` } }], edges: [] };
    await store.add(workflow(1));
    await store.add(workflow(2, { graph: large }));
    expect(await store.find('id-1')).toEqual(workflow(1));
    expect(await store.find('id-2')).toEqual(workflow(2, { graph: large }));
    expect(await store.find('id-3')).toBeNull();
    expect(await store.list()).toEqual([workflow(2), workflow(1)]);
    expect(await store.count()).toBe(2);
    await store.setPublished('id-1', true);
    expect(await store.list({ published: true })).toEqual([workflow(1, { published: true })]);
    const change = { published: true, updatedAt: '2026-02-01T00:00:00.000Z' };
    for (let revision = 2; revision <= 5; revision += 1) {
      const fresh = workflow(1, { ...change, revision, name: `Name ${revision}` });
      expect(await store.replace(fresh, { maxRevisions: 3 })).toBe(true);
      expect(await store.find('id-1')).toEqual(fresh);
    }
    expect((await store.revisionsOf('id-1')).map(({ revision, name }) => [revision, name])).toEqual(
      [5, 4, 3].map((revision) => [revision, `Name ${revision}`]),
    );
    expect(await store.revision('id-1', 4)).toMatchObject({
      name: 'Name 4',
      plan: { steps: [step] },
    });
    expect(await store.revision('id-1', 2)).toBeNull();
    expect(await store.remove('id-1')).toBe(true);
    expect(await store.remove('id-1')).toBe(false);
    expect(await store.revisionsOf('id-1')).toEqual([]);
    expect(await store.list()).toEqual([workflow(2)]);
  });

  it('lists are filtered and paged by the database', async () => {
    await migrate(used.current);
    const store = new WorkflowStore(used.current);
    for (const number of [1, 2, 3, 4])
      await store.add(workflow(number, { updatedAt: '2026-01-02T03:04:05.678Z' }));
    await store.add(workflow(5, { name: 'ÄRGER 100 %_', description: 'x' }));
    const ids = async (query: WorkflowQuery) => (await store.list(query)).map(({ id }) => id);
    expect(await ids({ limit: 2 })).toEqual(['id-5', 'id-4']);
    expect(await ids({ limit: 2, before: 'id-4' })).toEqual(['id-3', 'id-2']);
    expect(await ids({ limit: 2, before: 'id-2' })).toEqual(['id-1']);
    expect(await ids({ before: 'nobody' })).toEqual([]);
    expect(await ids({ q: 'größe 3' })).toEqual(['id-3']);
    expect(await ids({ q: 'GRÖSSE' })).toEqual([]);
    expect(await ids({ q: 'TWO', limit: 3 })).toEqual(['id-4', 'id-3', 'id-2']);
    expect(await ids({ q: 'ärger 100 %_' })).toEqual(['id-5']);
    const renamed = { name: 'Freude', revision: 2, updatedAt: '2026-01-09T00:00:00.000Z' };
    await store.replace(workflow(5, renamed), { maxRevisions: 50 });
    expect(await ids({ q: 'ärger' })).toEqual([]);
    expect(await ids({ q: 'freude' })).toEqual(['id-5']);
    await store.setPublished('id-2', true);
    expect(await ids({ q: 'two', published: true })).toEqual(['id-2']);
    expect(await ids({ published: false, limit: 1 })).toEqual(['id-5']);
  });

  it('workflows of an earlier release can be searched', async () => {
    const earlier = migrations.findIndex(({ name }) => name === '0011-workflow-search');
    await migrate(used.current, { available: migrations.slice(0, earlier) });
    await fillTables(used.current);
    await used.reopen();
    await migrate(used.current);
    const store = new WorkflowStore(used.current);
    expect(await store.list({ q: 'GRÖßE' })).toMatchObject([{ name: 'Größe 🙂' }]);
    expect(await store.list({ q: 'größer' })).toEqual([]);
  });

  it('a draft of a definition is stored apart from its revisions, and is deleted with the next revision', async () => {
    await migrate(used.current);
    const store = new WorkflowStore(used.current);
    await store.add(workflow(1));
    const { plan: _, ...rest } = workflow(1, { name: 'Größe, later 🙂' });
    const edit = { ...rest, plan: { steps: [] }, graph: { nodes: [{ id: 'x' }], edges: [] } };
    for (const revision of [2, 3]) {
      expect(await store.putEdit(workflow(1, { revision }), edit)).toBe(true);
      expect(await store.find('id-1')).toEqual(workflow(1, { revision }));
    }
    expect(await store.putEdit(workflow(1, { revision: 3 }), edit)).toBe(false);
    const { name, graph } = edit;
    expect(await store.edit('id-1')).toMatchObject({ name, graph });
    expect(await store.revision('id-1', 0)).toBeNull();
    const revisions = async () => (await store.revisionsOf('id-1')).map((one) => one.revision);
    expect(await revisions()).toEqual([3]);
    const keepsEdit = { maxRevisions: 50, keepsEdit: true };
    expect(await store.replace(workflow(1, { revision: 4 }), keepsEdit)).toBe(true);
    expect(await store.edit('id-1')).not.toBeNull();
    const folded = { maxRevisions: 50, folded: true };
    expect(await store.replace(workflow(1, { revision: 5 }), folded)).toBe(true);
    expect(await store.edit('id-1')).toBeNull();
    expect(await revisions()).toEqual([5, 3]);
  });

  it('a change is stored completely or not at all', async () => {
    await migrate(used.current);
    const store = new WorkflowStore(used.current);
    await store.add(workflow(1));
    // A revision must directly follow the current one.
    expect(await store.replace(workflow(1, { revision: 3, name: 'x' }), { maxRevisions: 50 })).toBe(
      false,
    );
    expect(await store.revisionsOf('id-1')).toHaveLength(1);
    const taken = { workflow_id: 'id-1', revision: 2, name: 'taken', description: '' };
    const rest = { step_count: 0, body: '{}', graph: null, created_at: new Date(0) };
    await used.current.sequelize
      .getQueryInterface()
      .bulkInsert('workflow_revisions', [{ ...taken, ...rest }]);
    await expect(
      store.replace(workflow(1, { revision: 2 }), { maxRevisions: 50 }),
    ).rejects.toThrow();
    expect(await store.find('id-1')).toEqual(workflow(1));
    await expect(store.add(workflow(1, { name: 'again' }))).rejects.toThrow();
    expect(await store.find('id-1')).toEqual(workflow(1));
  });
});
