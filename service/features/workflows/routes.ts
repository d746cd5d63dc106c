import { api, type WorkflowNode } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import { type Route, route } from '../../http/route.ts';
import { msg } from '../../messages/index.ts';
import { graphOf } from './compile/graph-of.ts';
import { type DefinitionRules, readDefinition } from './definition/check-definition.ts';
import { noInputs } from './definition/input-schema.ts';
import { listNodes, listPalette, type NodeListOptions, nodeTypes } from './nodes/node-list.ts';
import { NodeOptions, type OptionSources } from './nodes/node-options.ts';
import { type RunStarter, runWorkflow } from './run-workflow.ts';
import { templates } from './templates/templates.ts';
import type { WorkflowService } from './workflow-service.ts';

export type NodeSources = NodeListOptions & OptionSources & { rules: DefinitionRules };

export function workflowRoutes(
  workflowService: WorkflowService,
  sources: NodeSources,
  starter: RunStarter,
): Route[] {
  const { workflows } = api;
  return [
    route(workflows.list, ({ query: { published, q, ...page } }) =>
      workflowService.list({
        ...page,
        q: q?.trim() || undefined,
        published: published === undefined ? undefined : published === 'true',
      }),
    ),
    route(workflows.show, ({ params }) => workflowService.open(params.workflowId)),
    route(workflows.create, ({ body }) => workflowService.create(body)),
    route(workflows.update, ({ params, body }) => workflowService.update(params.workflowId, body)),
    route(workflows.run, async ({ params, body }) => {
      const { runId } = await runWorkflow(
        await workflowService.whole(params.workflowId),
        body,
        starter,
      );
      return { runId };
    }),
    route(workflows.publish, ({ params, body }) =>
      workflowService.publish(params.workflowId, body.published),
    ),
    route(workflows.remove, async ({ params }) => {
      await workflowService.remove(params.workflowId);
      return undefined;
    }),
    route(workflows.duplicate, ({ params }) => workflowService.duplicate(params.workflowId)),
    route(workflows.export, ({ params }) => workflowService.export(params.workflowId)),
    route(workflows.import, ({ body: { plan, ...rest } }) => {
      const isDraft = plan?.steps.length === 0;
      return workflowService.create({ ...rest, ...(isDraft ? { draft: true } : { plan }) });
    }),
    route(workflows.revisions, ({ params }) => workflowService.revisions(params.workflowId)),
    route(workflows.restore, ({ params }) =>
      workflowService.restore(params.workflowId, Number(params.revision)),
    ),
    ...nodeRoutes(sources),
  ];
}

/** Routes for building a workflow; they store nothing. */
function nodeRoutes(sources: NodeSources): Route[] {
  const { workflows } = api;
  const options = new NodeOptions(sources);
  const nodeOf = async (type: string): Promise<WorkflowNode> => {
    const node = (await listNodes(sources)).find((one) => one.type === type);
    if (!node) throw unknownType(type);
    return node;
  };
  return [
    route(workflows.compile, async ({ body: { graph, inputSchema = noInputs } }) => {
      const { plan, layout } = await readDefinition({ graph, inputSchema }, sources.rules);
      return { plan, layout };
    }),
    route(workflows.decompile, async ({ body: { plan, layout = {} } }) => ({
      graph: graphOf(plan, layout, await nodeTypes(sources)),
    })),
    route(workflows.nodes, () => listPalette(sources)),
    route(workflows.nodeOptions, async ({ params: { type }, body: { input, values } }) =>
      options.ofNode(await nodeOf(type), input, values),
    ),
    route(workflows.nodeContext, async ({ params: { type }, body: { input, values } }) => ({
      value: await options.contextOf(await nodeOf(type), input, values),
    })),
    route(workflows.inputOptions, ({ body }) => options.ofTool(body)),
    route(workflows.templates, () => [...templates]),
  ];
}

function unknownType(type: string): HostError {
  return new HostError('missing', 'unknown_node_type', msg('node.unknownType', { type }));
}
