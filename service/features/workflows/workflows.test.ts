import { afterEach, describe, expect, it } from 'vitest';
import { api, type Workflow, type WorkflowChange } from '../../contract/index.ts';
import { startTestHost } from '../../testing/test-host.ts';
import { refusal } from '../../testing/refusal.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const { workflows } = api;
const host = await useForFile(startTestHost());
afterEach(async () => {
  for (const { id } of await host.client.call(workflows.list))
    await host.client.call(workflows.remove, { params: { workflowId: id } });
});

type Values = Record<string, unknown>;
const inputSchema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
};
const step = (args: Values, more: Values = {}) => ({
  title: 'Step',
  tool: 'web_fetch',
  arguments: args,
  dependsOn: [] as number[],
  ...more,
});
const plan = {
  goal: 'The weather of {{inputs.city}}',
  steps: [
    step({ url: 'https://example.com/{{inputs.city}}' }),
    step({ days: '{{inputs.days}}', text: '{{steps.0.result.text}}' }, { dependsOn: [0] }),
  ],
};
const layout = { '0': { x: 1.5, y: -2 }, '1': { x: 300, y: 0 } };
const graph = {
  nodes: [
    {
      id: 'a',
      type: 'step',
      position: { x: 0, y: 0 },
      width: 200,
      selected: true,
      data: { nodeType: 'http_get', inputs: { url: '{{inputs.city}}' }, color: 'red' },
    },
    { id: 'b', position: { x: 300, y: 0 }, data: { nodeType: 'json_format' } },
    { id: 'n', type: 'sticky', position: { x: 9, y: 9 }, data: { text: 'Mind the rain 🙂' } },
  ],
  edges: [
    {
      id: 'e',
      source: 'a',
      sourceHandle: 'body',
      target: 'b',
      targetHandle: 'json',
      animated: true,
    },
  ],
  viewport: { x: 0, y: 0, zoom: 1.5 },
};

const create = (fields: Values = {}): Promise<Workflow> =>
  host.client.call(workflows.create, { body: { name: 'Weather', inputSchema, plan, ...fields } });
const show = (workflowId: string): Promise<Workflow> =>
  host.client.call(workflows.show, { params: { workflowId } });
const update = (workflowId: string, body: WorkflowChange): Promise<Workflow> =>
  host.client.call(workflows.update, { params: { workflowId }, body });
const post = (path: string, body: unknown) =>
  host.ask(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('a definition', () => {
  it('is returned as it was stored, alone and in the list [WORKFLOW-01, WORKFLOW-14, WORKFLOW-15, WORKFLOW-16]', async () => {
    const made = await create({ description: 'Tells it.', layout });
    expect(made).toEqual({
      id: made.id,
      name: 'Weather',
      description: 'Tells it.',
      inputSchema,
      plan,
      layout,
      published: false,
      revision: 1,
      owner: 1,
      createdAt: made.createdAt,
      updatedAt: made.createdAt,
    });
    expect(new Date(made.createdAt).toISOString()).toBe(made.createdAt);
    expect(await show(made.id)).toEqual(made);
    const other = await create({ name: 'Other', graph });
    const { graph: _, ...listed } = other;
    expect(await host.client.call(workflows.list)).toEqual([listed, made]);
    const answer = await post('/api/workflows', { name: 'x', plan });
    expect(answer.status).toBe(422);
    expect((await host.ask('/api/workflows', { headers: { 'X-Host-Token': '' } })).status).toBe(
      401,
    );
  });

  it('can be searched, page by page', async () => {
    const ids = async (query: Values) =>
      (await host.client.call(workflows.list, { query })).map(({ id }) => id);
    const made: string[] = [];
    for (const name of ['Ärger one', 'Ärger two', 'three'])
      made.unshift((await create({ name, description: 'Tells it.' })).id);
    expect(await ids({})).toEqual(made);
    expect(await ids({ limit: '2' })).toEqual(made.slice(0, 2));
    expect(await ids({ limit: '2', before: made[1] })).toEqual(made.slice(2));
    expect(await ids({ q: ' ÄRGER ' })).toEqual(made.slice(1));
    expect(await ids({ q: 'tells', limit: '1', before: made[0] })).toEqual([made[1]]);
    const params = { workflowId: made[1] ?? '' };
    await host.client.call(workflows.publish, { params, body: { published: true } });
    expect(await ids({ published: 'true' })).toEqual([made[1]]);
    expect(await ids({ published: 'false' })).toEqual([made[0], made[2]]);
    expect(await refusal(ids({ before: 'nobody' }))).toMatchObject({ code: 'unknown_workflow' });
    expect(await refusal(ids({ limit: '0' }))).toMatchObject({ status: 400 });
  });

  it('keeps its graph unchanged, including notes, and compiles it if no plan is given [WORKFLOW-03]', async () => {
    const both = await create({ graph });
    expect((await show(both.id)).graph).toEqual(graph);
    expect(both.plan).toEqual(plan);
    const compiled = await create({ plan: undefined, graph });
    expect((await show(compiled.id)).graph).toEqual(graph);
    const drawn = {
      nodes: [
        { id: 'a', type: 'custom', data: { label: 'Of another program', inputs: 7 } },
        { id: 'a', position: 'left', parent: null },
        {},
      ],
      edges: [{ source: 'a', target: 'nowhere' }, { label: 'none' }],
      viewport: { x: 1, y: 2, zoom: 3 },
      version: 'x',
    };
    const stored = await create({ graph: drawn });
    expect((await show(stored.id)).graph).toEqual(drawn);
    expect((await update(stored.id, { plan, graph: drawn })).graph).toEqual(drawn);
    expect(compiled.plan.steps).toEqual([
      {
        id: 'a',
        title: 'HTTP GET',
        tool: 'http_get',
        dependsOn: [],
        arguments: { url: '{{inputs.city}}' },
      },
      {
        id: 'b',
        title: 'JSON',
        tool: 'json_format',
        dependsOn: [0],
        arguments: { json: '{{steps.0.result.body}}', operation: 'pretty' },
      },
    ]);
    expect(compiled.layout).toEqual({ '0': { x: 0, y: 0 }, '1': { x: 300, y: 0 } });
    expect(await host.client.call(workflows.compile, { body: { graph, inputSchema } })).toEqual({
      plan: compiled.plan,
      layout: compiled.layout,
    });
  });

  it('is changed only in the given fields, and each change is a revision [WORKFLOW-04, WORKFLOW-17]', async () => {
    const made = await create({ layout, graph });
    const renamed = await update(made.id, { name: 'Rain', revision: 1 });
    expect(renamed).toEqual({
      ...made,
      name: 'Rain',
      revision: 2,
      updatedAt: renamed.updatedAt,
    });
    // A client may send the complete view back.
    const again = await update(made.id, { ...renamed, description: 'new' });
    expect(again).toMatchObject({ revision: 3, description: 'new', graph, plan });
    const other = { steps: [step({ url: 'x' })] };
    const replaced = await update(made.id, { plan: other });
    expect(replaced).toMatchObject({ revision: 4, plan: other, layout: {} });
    expect(replaced.graph).toBeUndefined();
    expect(await update(made.id, { graph })).toMatchObject({ revision: 5, graph });
    expect((await show(made.id)).plan.steps.map(({ id }) => id)).toEqual(['a', 'b']);
    // Unchanged parts must still fit the changed ones.
    const empty = { type: 'object', properties: {} };
    expect((await refusal(update(made.id, { inputSchema: empty }))).errors[0]).toMatch(
      /^steps\.0\.arguments\.url inputs\.city/,
    );
  });

  it('that was changed meanwhile is not overwritten by an older version', async () => {
    const { id } = await create();
    await update(id, { name: 'Second', revision: 1 });
    expect(await refusal(update(id, { name: 'Late', revision: 1 }))).toMatchObject({
      status: 409,
      code: 'stale_revision',
    });
    expect(await show(id)).toMatchObject({ name: 'Second', revision: 2 });
    const many = await Promise.allSettled(
      [1, 2, 3, 4, 5].map((n) => update(id, { name: `At once ${n}`, revision: 2 })),
    );
    expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await show(id)).revision).toBe(3);
    await Promise.all([1, 2, 3].map((n) => update(id, { name: `After another ${n}` })));
    expect((await show(id)).revision).toBe(6);
  });

  it('can be published and unpublished, without a new revision [WORKFLOW-18, WORKFLOW-21]', async () => {
    const { id } = await create();
    const publish = (published: boolean): Promise<Workflow> =>
      host.client.call(workflows.publish, { params: { workflowId: id }, body: { published } });
    expect(await publish(true)).toMatchObject({ id, published: true, revision: 1 });
    expect(await publish(true)).toMatchObject({ published: true });
    expect((await show(id)).published).toBe(true);
    expect((await update(id, { name: 'Still' })).published).toBe(true);
    expect(await publish(false)).toMatchObject({ published: false });
    expect((await show(id)).published).toBe(false);
    expect((await post(`/api/workflows/${id}/publish`, { published: 'yes' })).status).toBe(400);
  });

  it('is removed together with its revisions [WORKFLOW-19]', async () => {
    const { id } = await create();
    const path = `/api/workflows/${id}`;
    const answer = await host.ask(path, { method: 'DELETE' });
    expect([answer.status, answer.text]).toEqual([204, '']);
    for (const [method, rest] of [
      ...[
        ['GET', ''],
        ['DELETE', ''],
        ['GET', '/revisions'],
        ['GET', '/export'],
      ],
      ...[
        ['POST', '/duplicate'],
        ['POST', '/revisions/1/restore'],
      ],
    ]) {
      const response = await host.ask(path + (rest ?? ''), { method: method ?? '' });
      expect([response.status, (response.json() as { code: string }).code]).toEqual([
        404,
        'unknown_workflow',
      ]);
    }
    expect((await refusal(update(id, { name: 'x' }))).status).toBe(404);
    expect(await host.client.call(workflows.list)).toEqual([]);
  });

  it('keeps its last fifty revisions, and any of them can be restored', async () => {
    const { id } = await create({ graph });
    for (let n = 2; n <= 53; n += 1) await update(id, { name: `Name ${n}` });
    await update(id, { plan: { steps: [step({ url: 'x' })] } });
    const of = { params: { workflowId: id } };
    const found = await host.client.call(workflows.revisions, of);
    expect(found.map(({ revision }) => revision)).toEqual(
      Array.from({ length: 50 }, (_, index) => 54 - index),
    );
    expect(found.slice(0, 2)).toMatchObject([
      { name: 'Name 53', steps: 1 },
      { name: 'Name 53', steps: 2 },
    ]);
    const restore = (revision: string): Promise<Workflow> =>
      host.client.call(workflows.restore, { params: { workflowId: id, revision } });
    expect(await restore('7')).toMatchObject({ revision: 55, name: 'Name 7', plan, graph });
    expect(await show(id)).toMatchObject({ revision: 55, name: 'Name 7', graph });
    for (const absent of ['1', '56', '999999999'])
      expect(await refusal(restore(absent))).toMatchObject({
        status: 404,
        code: 'unknown_revision',
      });
  });

  it('can be duplicated as an independent copy', async () => {
    const made = await create({ name: '🙂'.repeat(100), graph });
    const of = { params: { workflowId: made.id } };
    await host.client.call(workflows.publish, { ...of, body: { published: true } });
    const copy = await host.client.call(workflows.duplicate, of);
    expect(copy).toMatchObject({ published: false, revision: 1, graph, plan });
    expect(copy.id).not.toBe(made.id);
    expect(copy.name).toBe(`${'🙂'.repeat(96)} (copy)`);
  });
});

describe('a document', () => {
  it('of an export is imported as a separate, unpublished definition', async () => {
    const made = await create({ description: 'Tells it.', layout, graph });
    const of = { params: { workflowId: made.id } };
    await host.client.call(workflows.publish, { ...of, body: { published: true } });
    const document = await host.client.call(workflows.export, of);
    expect(document).toMatchObject({ format: 'plugin-host-workflow', version: 1, name: 'Weather' });
    const taken = await host.client.call(workflows.import, { body: document });
    const { id, createdAt, updatedAt } = taken;
    expect(id).not.toBe(made.id);
    expect(taken).toEqual({ ...made, id, createdAt, updatedAt });
    const again = await host.client.call(workflows.export, { params: { workflowId: id } });
    expect(again).toEqual(document);
  });

  const deep = `{"name":"x","graph":${'['.repeat(100)}${']'.repeat(100)}}`;
  it.each<[string, unknown, number, string]>([
    ['a list', [1], 400, 'invalid_body'],
    ['a text', '"x"', 400, 'invalid_body'],
    ['no JSON', '{"name":', 400, 'invalid_json'],
    ['too deep', deep, 400, 'json_too_deep'],
    ['nothing', {}, 400, 'invalid_body'],
    ['a list of names', { name: ['x'], plan }, 400, 'invalid_body'],
    ['a plan that is a list', { name: 'x', plan: [] }, 400, 'invalid_body'],
    ['steps that are an object', { name: 'x', plan: { steps: {} } }, 400, 'invalid_body'],
    [
      'nodes that are texts',
      { name: 'x', graph: { nodes: ['a'], edges: [] } },
      400,
      'invalid_body',
    ],
    [
      'a layout of texts',
      { name: 'x', inputSchema, plan, layout: { '0': 'here' } },
      400,
      'invalid_body',
    ],
    ['another format', { name: 'x', plan, format: 'n8n' }, 400, 'invalid_body'],
    ['of a later version', { name: 'x', plan, version: 2 }, 400, 'invalid_body'],
    ['without steps', { name: 'x' }, 422, 'invalid_workflow'],
    [
      'of several million values',
      `{"name":"x","graph":[${'1,'.repeat(3_000_000)}1]}`,
      413,
      'json_too_complex',
    ],
    ['of 64 MiB', JSON.stringify({ name: 'x'.repeat(64 * 1024 ** 2) }), 413, 'body_too_large'],
  ])('that is %s is refused', async (_, body, status, code) => {
    const answer = await post('/api/workflows/import', body);
    expect([answer.status, (answer.json() as { code: string }).code]).toEqual([status, code]);
    expect(await host.client.call(workflows.list)).toEqual([]);
  });
});

describe('a definition is refused, naming the step and the field, if', () => {
  const steps = (...list: Values[]): Values => ({ plan: { steps: list } });
  const url = 'x';
  it.each<[string, Values, RegExp]>([
    [
      'the goal has an input that is not declared',
      { plan: { ...plan, goal: '{{inputs.town}}' } },
      /^goal inputs\.town/,
    ],
    [
      'the goal needs a result',
      { plan: { ...plan, goal: '{{steps.0.result}}' } },
      /^goal steps\.0\.result is not known/,
    ],
    [
      'a condition has an input that is not declared',
      steps(step({ url }, { when: { value: '{{inputs.x}}' } })),
      /^steps\.0\.when\.value /,
    ],
    [
      'it waits for a step that is not there',
      steps(step({ url }, { dependsOn: [3] })),
      /^steps\.0\.dependsOn\.0 refers to a step that does not exist: the plan has \d/,
    ],
    [
      'it waits for itself',
      steps(step({ url }, { dependsOn: [0] })),
      /^steps\.0\.dependsOn\.0 is the step itself/,
    ],
    [
      'steps wait for each other',
      steps(step({ url }, { dependsOn: [1] }), step({ url }, { dependsOn: [0] })),
      /^steps\.\d\.dependsOn .*forms a cycle/,
    ],
    [
      'it uses what it does not wait for',
      steps(step({ url }), step({ url: '{{steps.0.result}}' })),
      /^steps\.1\.arguments\.url steps\.0\.result needs the step “/,
    ],
    [
      'the layout has a step too many',
      { plan, layout: { '2': { x: 0, y: 0 } } },
      /^layout\.2 refers to a step/,
    ],
    [
      'the plan is larger than 1 MiB',
      steps(step({ url: 'x'.repeat(1_100_000) })),
      /^plan is larger/,
    ],
    [
      'the input schema is of a list',
      { plan, inputSchema: { type: 'array' } },
      /^inputSchema\.type must be "object"/,
    ],
    [
      'the input schema is none',
      { plan, inputSchema: { properties: { city: { type: 'town' } } } },
      /^inputSchema is not a JSON Schema/,
    ],
    [
      'the properties are a list',
      { plan, inputSchema: { properties: [] } },
      /^inputSchema\.properties must be/,
    ],
    [
      'an input cannot be referred to',
      { plan, inputSchema: { properties: { 'a b': {} } } },
      /^inputSchema\.properties\.a b cannot/,
    ],
    [
      'a directory is of no known kind',
      { plan, inputSchema: { properties: { d: { 'x-host-auto': 'desk' } } } },
      /^inputSchema\.properties\.d\.x-host-auto must/,
    ],
    [
      'a list names no tool',
      { plan, inputSchema: { properties: { d: { 'x-host-enum': { value: 'id' } } } } },
      /^inputSchema\.properties\.d\.x-host-enum must/,
    ],
    [
      'a kept graph has too many nodes',
      { plan, graph: { nodes: Array.from({ length: 201 }, () => ({})), edges: [] } },
      /^nodes exceed the limit: 201 nodes, but at most 200 are allowed/,
    ],
    [
      'a node calls a workflow',
      {
        plan: undefined,
        graph: { nodes: [{ id: 'a', data: { nodeType: 'tool:run_workflow_1' } }], edges: [] },
      },
      /^nodes\.a\.tool run_workflow_1/,
    ],
    [
      'a node has an input that is not declared',
      { plan: undefined, inputSchema: {}, graph },
      /^nodes\.a\.inputs\.url inputs\.city refers to/,
    ],
  ])('%s', async (_, fields, first) => {
    const { status, code, errors } = await refusal(create(fields));
    expect([status, code]).toEqual([422, 'invalid_workflow']);
    expect(errors[0]).toMatch(first);
    expect(await host.client.call(workflows.list)).toEqual([]);
  });

  it('a step needs an input that the schema does not declare [WORKFLOW-29]', async () => {
    const { status, code, errors } = await refusal(
      create(steps(step({ city: ['{{inputs.town}}', 'to {{inputs.city}}, {{inputs.land}}'] }))),
    );
    expect([status, code]).toEqual([422, 'invalid_workflow']);
    expect(errors).toEqual([
      'steps.0.arguments.city.0 inputs.town refers to an input that is not declared',
      'steps.0.arguments.city.1 inputs.land refers to an input that is not declared',
    ]);
  });

  it.each(['run_workflow_1', 'run_current_flow', 'task_submit_workflow', 'task_schedule'])(
    'a step runs another workflow by %s [WORKFLOW-28]',
    async (tool) => {
      const { status, errors } = await refusal(create(steps(step({ url }), step({}, { tool }))));
      expect(status).toBe(422);
      expect(errors).toEqual([expect.stringMatching(`^steps\\.1\\.tool ${tool} runs a workflow`)]);
    },
  );

  it('there are more than 64 steps [LIMIT-07]', async () => {
    const many = (count: number): Values =>
      steps(...Array.from({ length: count }, () => step({ url })));
    const { status, errors } = await refusal(create(many(65)));
    expect([status, errors[0]]).toEqual([
      422,
      expect.stringMatching(/^steps have 65 entries, but at most 64/),
    ]);
    expect((await create(many(64))).plan.steps).toHaveLength(64);
  });

  it('reading a slow input schema delays nobody else', async () => {
    const nested = (depth: number): Values =>
      depth === 0 ? { type: 'string' } : { anyOf: [nested(depth - 1), nested(depth - 1)] };
    const slow = { properties: { city: nested(12), days: {} } };
    let isRead = false;
    const made = create({ inputSchema: slow })
      .catch((error: unknown) => error)
      .finally(() => (isRead = true));
    let longest = 0;
    for (let asked = 0; !isRead || asked === 0; asked += 1) {
      const started = performance.now();
      expect((await host.ask('/api/health')).status).toBe(200);
      longest = Math.max(longest, performance.now() - started);
    }
    await made;
    expect(longest).toBeLessThan(1_000);
  });

  it('a failing compilation reports the same errors, and stores nothing', async () => {
    const body = { graph: { nodes: [{ id: 'a', data: { nodeType: 'nope' } }], edges: [] } };
    const refused = await refusal(host.client.call(workflows.compile, { body }));
    expect(refused).toMatchObject({ status: 422, code: 'invalid_workflow' });
    expect(refused.errors).toEqual([
      expect.stringMatching(/^nodes\.a\.nodeType is of the unknown/),
    ]);
  });
});

it('every template is a valid workflow, and its plan can be restored from its graph', async () => {
  const found = await host.client.call(workflows.templates);
  expect(found.length).toBeGreaterThanOrEqual(3);
  for (const { id, ...template } of found) {
    const made = await host.client.call(workflows.create, { body: template });
    expect(made.plan.steps.length, id).toBeGreaterThan(1);
    const { plan: steps, layout: positions } = made;
    const body = { plan: steps, layout: positions };
    const again = await host.client.call(workflows.decompile, { body });
    const { inputSchema: inputs } = template;
    const compiled = { body: { graph: again.graph, inputSchema: inputs } };
    expect(await host.client.call(workflows.compile, compiled), id).toEqual(body);
  }
});
