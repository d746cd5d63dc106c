import { afterEach, describe, expect, it, vi } from 'vitest';
import { api, type NewWorkflow, type Workflow, type WorkflowChange } from '../../contract/index.ts';
import { startTestHost } from '../../testing/test-host.ts';
import { refusal } from '../../testing/refusal.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const { workflows } = api;
const host = await useForFile(startTestHost());

const plan = { steps: [{ title: 'Wait', tool: 'delay', arguments: {}, dependsOn: [] }] };
const graph = {
  nodes: [
    { id: 'a', data: { nodeType: 'http_get', inputs: { url: 'https://example.com' } } },
    { id: 'b', data: { nodeType: 'delay' } },
  ],
  edges: [{ source: 'a', target: 'b' }],
};

const create = (fields: Partial<NewWorkflow>): Promise<Workflow> =>
  host.client.call(workflows.create, { body: { name: 'Weather', ...fields } });
const show = (workflowId: string): Promise<Workflow> =>
  host.client.call(workflows.show, { params: { workflowId } });
const update = (workflowId: string, body: WorkflowChange): Promise<Workflow> =>
  host.client.call(workflows.update, { params: { workflowId }, body });

const publish = (workflowId: string, published = true): Promise<Workflow> =>
  host.client.call(workflows.publish, { params: { workflowId }, body: { published } });
const unfinished = { nodes: [{ id: 'a', data: { nodeType: 'http_get' } }], edges: [] };

describe('a draft', () => {
  const draftOf = (fields: Partial<NewWorkflow>): Promise<Workflow> =>
    create({ draft: true, ...fields });
  it('is stored with its problems while it is incomplete, and becomes complete once it compiles', async () => {
    const made = await draftOf({ graph: { nodes: [], edges: [] } });
    expect(made.problems).toEqual([expect.objectContaining({ path: 'nodes' })]);
    expect(await show(made.id)).toMatchObject({ plan: { steps: [] }, revision: 1 });
    const changed = await update(made.id, { graph: unfinished, draft: true, revision: 1 });
    expect(changed.problems).toEqual([
      {
        path: 'nodes.a.inputs.url',
        text: expect.objectContaining({ code: 'graph.inputRequired' }) as unknown,
        message: expect.stringMatching(/^Address is required/) as string,
      },
    ]);
    expect((await show(made.id)).graph).toEqual(unfinished);
    expect(await update(made.id, { name: 'Renamed' })).toMatchObject({ plan: { steps: [] } });
    const whole = await update(made.id, { graph, draft: true });
    expect(whole.plan.steps).toHaveLength(2);
    expect(whole.problems).toBeUndefined();
    expect((await publish(made.id)).published).toBe(true);
  });

  it('that is incomplete can be neither run nor published, and its problems are named', async () => {
    const { id } = await draftOf({ graph: unfinished });
    const run = host.client.call(workflows.run, { params: { workflowId: id }, body: {} });
    const named = [expect.stringMatching(/^nodes\.a\.inputs\.url Address is required/)];
    for (const work of [run, publish(id)])
      expect(await refusal(work)).toEqual({ status: 422, code: 'invalid_workflow', errors: named });
    expect((await show(id)).published).toBe(false);
  });

  it('can be exported and imported, and is refused if it is too large', async () => {
    const { id } = await draftOf({ graph: unfinished });
    const body = await host.client.call(workflows.export, { params: { workflowId: id } });
    const imported = await host.client.call(workflows.import, { body });
    expect(imported).toMatchObject({ graph: unfinished, plan: { steps: [] } });
    const nodes = Array.from({ length: 201 }, (_, index) => ({ id: String(index), data: {} }));
    expect(await refusal(draftOf({ graph: { nodes, edges: [] } }))).toMatchObject({ status: 422 });
    const description = 'x'.repeat(300 * 1024);
    const large = { type: 'object', description };
    expect((await refusal(draftOf({ graph: unfinished, inputSchema: large }))).errors).toEqual([
      expect.stringMatching(/^inputSchema is larger/),
    ]);
  });
});

describe('an incomplete edit of a published definition', () => {
  const change = { name: 'Later', graph: unfinished, draft: true };
  const published = async (): Promise<string> => {
    const { id } = await create({ graph });
    await publish(id);
    return id;
  };

  it('is stored, and the published definition stays in use until the edit is complete', async () => {
    const id = await published();
    const { revision, name, edit, problems, plan: storedPlan } = await update(id, change);
    expect({ revision, name, edit }).toMatchObject({
      revision: 2,
      name: 'Weather',
      edit: { name: 'Later', graph: unfinished },
    });
    expect(problems).toEqual([expect.objectContaining({ path: 'nodes.a.inputs.url' })]);
    expect(storedPlan.steps).toHaveLength(2);
    expect(await show(id)).toMatchObject({
      revision: 2,
      name: 'Weather',
      graph,
      published: true,
      edit: { name: 'Later', graph: unfinished },
    });
    const [listed] = (await host.client.call(workflows.list)).filter((one) => one.id === id);
    expect(listed).toMatchObject({ name: 'Weather', revision: 2, plan: storedPlan });
    const revisions = await host.client.call(workflows.revisions, { params: { workflowId: id } });
    expect(revisions.map((one) => one.revision)).toEqual([2]);
    // Another window without this edit is refused, and a new name removes nothing.
    expect(await refusal(update(id, { ...change, revision: 1 }))).toMatchObject({
      status: 409,
      code: 'stale_revision',
    });
    await update(id, { description: 'Asks.' });
    expect(await show(id)).toMatchObject({ description: 'Asks.', edit: { name: 'Later' } });
    const whole = await update(id, { ...change, graph, revision: 3 });
    expect(whole).toMatchObject({ name: 'Later', revision: 4, published: true });
    expect(await show(id)).not.toHaveProperty('edit');
  });

  it('becomes the workflow when it is unpublished, and is stored only as a draft', async () => {
    const id = await published();
    expect(await refusal(update(id, { graph: unfinished }))).toMatchObject({ status: 422 });
    expect(await show(id)).not.toHaveProperty('edit');
    await update(id, change);
    expect(await publish(id)).toMatchObject({ published: true, edit: { name: 'Later' } });
    expect(await publish(id, false)).toMatchObject({ name: 'Later', published: false });
    const now = await show(id);
    expect(now).toMatchObject({ graph: unfinished, published: false, plan: { steps: [] } });
    expect(now).not.toHaveProperty('edit');
    const restored = await host.client.call(workflows.restore, {
      params: { workflowId: id, revision: '2' },
    });
    expect(restored).toMatchObject({ name: 'Weather', graph });
  });
});

describe('edits of one session', () => {
  const revisionsOf = async (workflowId: string): Promise<number[]> => {
    const found = await host.client.call(workflows.revisions, { params: { workflowId } });
    return found.map(({ revision }) => revision);
  };
  const run = (workflowId: string) =>
    host.client.call(workflows.run, { params: { workflowId }, body: {} });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('share a revision until another edit intervenes, and each change has its own number', async () => {
    const { id } = await create({ plan });
    let revision = 1;
    const save = async (editing: string | undefined, draft = true): Promise<void> => {
      const name = `Name ${revision}`;
      const body = { name, graph, draft, revision, ...(editing && { editing }) };
      ({ revision } = await update(id, body));
    };
    for (let count = 0; count < 60; count += 1) await save('one');
    expect(revision).toBe(61);
    expect(await revisionsOf(id)).toEqual([61, 1]);
    expect(await refusal(update(id, { name: 'x', editing: 'one', revision: 60 }))).toMatchObject({
      status: 409,
      code: 'stale_revision',
    });
    await save('two');
    await save('one');
    await save(undefined);
    await save('one');
    expect(await revisionsOf(id)).toEqual([65, 64, 63, 62, 61, 1]);
    await publish(id);
    await save('one');
    expect(await revisionsOf(id)).toEqual([66, 65, 64, 63, 62, 61, 1]);
    await run(id);
    await save('one');
    await save('one');
    expect(await revisionsOf(id)).toEqual([68, 66, 65, 64, 63, 62, 61, 1]);
    // Content that is incomplete for a while does not create one either.
    const broken = { graph: unfinished, draft: true, editing: 'one', revision };
    ({ revision } = await update(id, broken));
    await save('one');
    expect(await revisionsOf(id)).toEqual([70, 66, 65, 64, 63, 62, 61, 1]);
  });

  it('become another revision after ten minutes', async () => {
    const { id } = await create({ plan });
    const save = (): Promise<Workflow> => update(id, { graph, draft: true, editing: 'one' });
    await save();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 9 * 60_000 });
    await save();
    expect(await revisionsOf(id)).toEqual([3, 1]);
    vi.setSystemTime(Date.now() + 60_000);
    await save();
    expect(await revisionsOf(id)).toEqual([4, 3, 1]);
  });

  it('are limited to fifty revisions, whatever their numbers', async () => {
    const { id } = await create({ plan });
    for (let count = 0; count < 52; count += 1)
      for (const name of ['a', 'b']) await update(id, { name, editing: String(count) });
    const retained = await revisionsOf(id);
    expect(retained).toHaveLength(50);
    expect([retained[0], retained.at(-1)]).toEqual([105, 7]);
  });
});
