import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api, type NewWorkflow, type Workflow, type WorkflowChange } from '../../contract/index.ts';
import { ServiceError } from '../../client/index.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';

const { workflows } = api;
let host: TestHost;
beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const plan = { steps: [{ title: 'Wait', tool: 'delay', arguments: {}, dependsOn: [] }] };
const graph = {
  nodes: [
    { id: 'a', data: { nodeType: 'http_get', inputs: { url: 'https://example.com' } } },
    { id: 'b', data: { nodeType: 'delay' } },
  ],
  edges: [{ source: 'a', target: 'b' }],
};

const create = (given: Partial<NewWorkflow>): Promise<Workflow> =>
  host.client.call(workflows.create, { body: { name: 'Weather', ...given } });
const show = (workflowId: string): Promise<Workflow> =>
  host.client.call(workflows.show, { params: { workflowId } });
const update = (workflowId: string, body: WorkflowChange): Promise<Workflow> =>
  host.client.call(workflows.update, { params: { workflowId }, body });

async function refusal(work: Promise<unknown>) {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ServiceError)) throw new Error('It was not refused.', { cause: error });
  const { status, code, errors = [] } = error.problem;
  return { status, code, errors: errors.map(({ path, message }) => `${path} ${message}`) };
}

describe('a draft', () => {
  const unfinished = { nodes: [{ id: 'a', data: { nodeType: 'http_get' } }], edges: [] };
  const draftOf = (given: Partial<NewWorkflow>): Promise<Workflow> =>
    create({ draft: true, ...given });
  const publish = (id: string): Promise<Workflow> =>
    host.client.call(workflows.publish, { params: { workflowId: id }, body: { published: true } });

  it('is kept before it is whole, with what is wrong, and is whole once it compiles', async () => {
    const made = await draftOf({ graph: { nodes: [], edges: [] } });
    expect(made.problems).toEqual([expect.objectContaining({ path: 'nodes' })]);
    expect(await show(made.id)).toMatchObject({ plan: { steps: [] }, revision: 1 });
    const changed = await update(made.id, { graph: unfinished, draft: true, revision: 1 });
    expect(changed.problems).toEqual([
      { path: 'nodes.a.inputs.url', message: expect.stringMatching(/^is missing/) as string },
    ]);
    expect((await show(made.id)).graph).toEqual(unfinished);
    expect(await update(made.id, { name: 'Renamed' })).toMatchObject({ plan: { steps: [] } });
    const whole = await update(made.id, { graph, draft: true });
    expect(whole.plan.steps).toHaveLength(2);
    expect(whole.problems).toBeUndefined();
    expect((await publish(made.id)).published).toBe(true);
  });

  it('that is not whole is neither run nor published, and its parts are named', async () => {
    const { id } = await draftOf({ graph: unfinished });
    const run = host.client.call(workflows.run, { params: { workflowId: id }, body: {} });
    const named = [expect.stringMatching(/^nodes\.a\.inputs\.url is missing/)];
    for (const work of [run, publish(id)])
      expect(await refusal(work)).toEqual({ status: 422, code: 'invalid_workflow', errors: named });
    expect((await show(id)).published).toBe(false);
    const whole = await create({ plan });
    await publish(whole.id);
    const change = { graph: unfinished, draft: true };
    expect((await refusal(update(whole.id, change))).errors).toEqual(named);
    expect((await show(whole.id)).plan).toEqual(plan);
  });

  it('comes back from its export, and is refused where it is too large', async () => {
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
