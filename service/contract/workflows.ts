import { z } from 'zod';
import { ChatFile } from './chat.ts';
import { endpoint, token } from './endpoint.ts';
import { AgentConfig, AgentPlan, PlanStep } from './plans.ts';
import { Problem } from './problem.ts';
import { HostEnum, NodeOption, WorkflowNode } from './workflow-nodes.ts';

export const maxWorkflowSteps = 64;
export const maxGraphNodes = 200;
export const maxGraphEdges = 400;
export const maxGraphBytes = 1024 * 1024;

/** Plain text that every database can store: no NUL and no lone surrogates. */
const text = z.string().regex(/^[^\0\p{Cs}]*$/u, 'field.plainText');
const Part = z.record(z.string(), z.unknown());

const Position = z.object({ x: z.number(), y: z.number() });
export type Position = z.output<typeof Position>;

/** Position of each step on the canvas, by its index. */
export const WorkflowLayout = z.record(z.string().regex(/^\d{1,4}$/), Position);
export type WorkflowLayout = z.output<typeof WorkflowLayout>;

/**
 * React Flow's `{nodes, edges, viewport?}`, stored unchanged. The `data` of a node is `{nodeType,
 * inputs: {name: value}, title?, when?, forEach?, onFailure?, retry?, timeoutSeconds?, effect?}`; a
 * node of the type `sticky` is a note. The `sourceHandle` of an edge can name an output, its
 * `targetHandle` an input.
 */
export const WorkflowGraph = z.looseObject({ nodes: z.array(Part), edges: z.array(Part) });
export type WorkflowGraph = z.output<typeof WorkflowGraph>;

/** A JSON Schema of an object: the inputs of a run. */
export const InputSchema = z.record(z.string(), z.unknown());
export type InputSchema = z.output<typeof InputSchema>;

/** An incomplete draft has no steps and cannot be run or published. */
const StoredPlan = AgentPlan.extend({ steps: z.array(PlanStep).max(maxWorkflowSteps) });

const Name = text.trim().min(1).max(200);
const Description = text.max(4_000);

export const WorkflowSummary = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  inputSchema: InputSchema,
  plan: StoredPlan,
  layout: WorkflowLayout,
  published: z.boolean(),
  /** From 1; incremented by each change of the definition. */
  revision: z.int(),
  /** Number of the user. */
  owner: z.int(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type WorkflowSummary = z.output<typeof WorkflowSummary>;

/** Unpublished changes to a published definition, which stays unchanged until they are complete. */
const WorkflowEdit = z.object({
  name: z.string(),
  description: z.string(),
  inputSchema: InputSchema,
  graph: WorkflowGraph.optional(),
  updatedAt: z.string(),
});

export const Workflow = WorkflowSummary.extend({
  graph: WorkflowGraph.optional(),
  edit: WorkflowEdit.optional(),
  /** Problems of an incomplete draft or edit; only returned by the call that stored it. */
  problems: Problem.shape.errors,
});
export type Workflow = z.output<typeof Workflow>;

export const NewWorkflow = z.object({
  name: Name,
  description: Description.default(''),
  inputSchema: InputSchema.optional(),
  /** Default: derived from the graph. */
  plan: AgentPlan.optional(),
  layout: WorkflowLayout.optional(),
  graph: WorkflowGraph.optional(),
  /** Stores graph and inputs even if they are incomplete; for a published workflow as its edit. */
  draft: z.boolean().optional(),
});
export type NewWorkflow = z.output<typeof NewWorkflow>;

/** Absent fields stay unchanged; a plan replaces the graph, and a graph replaces the plan. */
export const WorkflowChange = NewWorkflow.partial().extend({
  description: Description.optional(),
  /** Revision that the change is based on; an outdated one is refused. */
  revision: z.int().optional(),
  /**
   * Id of an editing session: changes that follow each other quickly are stored as one revision.
   */
  editing: text.min(1).max(100).optional(),
});
export type WorkflowChange = z.output<typeof WorkflowChange>;

export const WorkflowRevision = z.object({
  revision: z.int(),
  name: z.string(),
  steps: z.int(),
  createdAt: z.string(),
});
export type WorkflowRevision = z.output<typeof WorkflowRevision>;

export const workflowFormat = 'plugin-host-workflow';

/** One workflow as a self-contained document. */
export const WorkflowDocument = z.object({
  format: z.literal(workflowFormat),
  version: z.literal(1),
  name: z.string(),
  description: z.string(),
  inputSchema: InputSchema,
  plan: StoredPlan,
  layout: WorkflowLayout,
  graph: WorkflowGraph.optional(),
});
export type WorkflowDocument = z.output<typeof WorkflowDocument>;

const ImportedWorkflow = NewWorkflow.extend({
  plan: StoredPlan.optional(),
  format: z.literal(workflowFormat).optional(),
  version: z.literal(1, 'field.workflowVersion').optional(),
});

export const CompiledWorkflow = z.object({ plan: AgentPlan, layout: WorkflowLayout });
export type CompiledWorkflow = z.output<typeof CompiledWorkflow>;

export const WorkflowTemplate = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  inputSchema: InputSchema,
  graph: WorkflowGraph,
});
export type WorkflowTemplate = z.output<typeof WorkflowTemplate>;

const ById = z.object({ workflowId: z.string().max(100) });
const unknownId = ['unknown_workflow'] as const;
const saveProblems = ['invalid_workflow', 'too_many_workflows'] as const;
const optionProblems = ['no_options', 'options_failed', 'options_timed_out'] as const;

export const WorkflowRun = z.object({
  inputs: z.record(z.string(), z.unknown()).default({}),
  config: AgentConfig.default({}),
  /** Each with the name of its input. */
  files: z.array(ChatFile).max(100).optional(),
});
export type WorkflowRun = z.output<typeof WorkflowRun>;

export const workflows = {
  list: endpoint({
    method: 'GET',
    path: '/api/workflows',
    access: token,
    summary:
      'The definitions of the user, the one changed last first; without their graphs. `q` searches names and descriptions',
    query: z.object({
      q: z.string().max(1_000).optional(),
      /** Default: all workflows. */
      limit: z.coerce.number().int().min(1).max(1_000).optional(),
      /** Id of the last workflow of the previous page. */
      before: z.string().max(100).optional(),
      published: z.enum(['true', 'false']).optional(),
    }),
    reply: z.array(WorkflowSummary),
    problems: unknownId,
  }),
  show: endpoint({
    method: 'GET',
    path: '/api/workflows/{workflowId}',
    access: token,
    summary: 'One definition',
    params: ById,
    reply: Workflow,
    problems: unknownId,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/workflows',
    access: token,
    summary: 'Store a definition; a graph without a plan is compiled',
    body: NewWorkflow,
    reply: Workflow,
    status: 201,
    problems: saveProblems,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/workflows/{workflowId}',
    access: token,
    summary: 'Change a definition; with an old revision nothing is stored',
    params: ById,
    body: WorkflowChange,
    reply: Workflow,
    problems: [...unknownId, 'invalid_workflow', 'stale_revision'],
  }),
  run: endpoint({
    method: 'POST',
    path: '/api/workflows/{workflowId}/run',
    access: token,
    summary: 'Begin a run of a definition; its events come on the stream of the agents',
    params: ById,
    body: WorkflowRun,
    reply: z.object({ runId: z.string() }),
    problems: [
      ...unknownId,
      'invalid_workflow',
      'invalid_inputs',
      'invalid_plan',
      'too_many_runs',
      'unknown_grant',
    ],
  }),
  publish: endpoint({
    method: 'POST',
    path: '/api/workflows/{workflowId}/publish',
    access: token,
    summary: 'Publish a definition, or take it back',
    params: ById,
    body: z.object({ published: z.boolean() }),
    reply: Workflow,
    problems: [...unknownId, 'invalid_workflow'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/workflows/{workflowId}',
    access: token,
    summary: 'Remove a definition with its revisions',
    params: ById,
    problems: unknownId,
  }),
  duplicate: endpoint({
    method: 'POST',
    path: '/api/workflows/{workflowId}/duplicate',
    access: token,
    summary: 'A copy, which is not published',
    params: ById,
    reply: Workflow,
    status: 201,
    problems: [...unknownId, 'too_many_workflows'],
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/workflows/{workflowId}/export',
    access: token,
    summary: 'The definition as one document, which import takes',
    params: ById,
    reply: WorkflowDocument,
    problems: unknownId,
  }),
  import: endpoint({
    method: 'POST',
    path: '/api/workflows/import',
    access: token,
    summary: 'Store a document of an export as a new definition, which is not published',
    body: ImportedWorkflow,
    reply: Workflow,
    status: 201,
    problems: saveProblems,
  }),
  revisions: endpoint({
    method: 'GET',
    path: '/api/workflows/{workflowId}/revisions',
    access: token,
    summary: 'The last 50 revisions, the newest first',
    params: ById,
    reply: z.array(WorkflowRevision),
    problems: unknownId,
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/workflows/{workflowId}/revisions/{revision}/restore',
    access: token,
    summary: 'Make a new revision that is like an earlier one',
    params: ById.extend({ revision: z.string().regex(/^\d{1,9}$/) }),
    reply: Workflow,
    problems: [...unknownId, 'unknown_revision', 'invalid_workflow'],
  }),
  compile: endpoint({
    method: 'POST',
    path: '/api/workflows/compile',
    access: token,
    summary: 'The plan of a graph, and where its steps stand; nothing is stored',
    body: z.object({ graph: WorkflowGraph, inputSchema: InputSchema.optional() }),
    reply: CompiledWorkflow,
    problems: ['invalid_workflow'],
  }),
  decompile: endpoint({
    method: 'POST',
    path: '/api/workflows/decompile',
    access: token,
    summary: 'A graph of a plan; nothing is stored',
    body: z.object({ plan: AgentPlan, layout: WorkflowLayout.optional() }),
    reply: z.object({ graph: WorkflowGraph }),
    problems: ['invalid_workflow'],
  }),
  nodes: endpoint({
    method: 'GET',
    path: '/api/workflows/nodes',
    access: token,
    summary: 'The nodes that can be placed: of the host, of enabled plugins, then of other tools',
    reply: z.array(WorkflowNode),
  }),
  nodeOptions: endpoint({
    method: 'POST',
    path: '/api/workflows/nodes/{type}/options',
    access: token,
    summary: 'What an input of a node can be chosen from; values are those of its other inputs',
    params: z.object({ type: z.string().max(300) }),
    body: z.object({ input: z.string().max(300), values: Part.default({}) }),
    reply: z.array(NodeOption),
    problems: ['unknown_node_type', 'unknown_input', ...optionProblems],
  }),
  nodeContext: endpoint({
    method: 'POST',
    path: '/api/workflows/nodes/{type}/context',
    access: token,
    summary: 'What a plugin derives for an input with a context from the other inputs of the node',
    params: z.object({ type: z.string().max(300) }),
    body: z.object({ input: z.string().max(300), values: Part.default({}) }),
    reply: z.object({ value: z.unknown() }),
    problems: ['unknown_node_type', 'unknown_input', ...optionProblems],
  }),
  inputOptions: endpoint({
    method: 'POST',
    path: '/api/workflows/input-options',
    access: token,
    summary:
      "What an input with x-host-enum can be chosen from: the list of a plugin's tool that reads",
    body: HostEnum,
    reply: z.array(NodeOption),
    problems: ['unknown_tool', ...optionProblems],
  }),
  templates: endpoint({
    method: 'GET',
    path: '/api/workflows/templates',
    access: token,
    summary: 'Workflows to begin with',
    reply: z.array(WorkflowTemplate),
  }),
} as const;
