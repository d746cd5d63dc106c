import {
  type AgentPlan,
  type WorkflowGraph,
  type InputSchema,
  maxWorkflowSteps,
  type WorkflowLayout,
} from '../../../contract/index.ts';
import { type FieldProblem, fieldProblem } from '../../../core/field-problem.ts';
import { type FieldError, HostError } from '../../../core/host-error.ts';
import { ReferenceProblem, referencesIn } from '../../../core/references.ts';
import { planProblems } from '../../agent/index.ts';
import { compileGraph, nodeProblems } from '../compile/compile-graph.ts';
import type { NodeTypes } from '../compile/node-types.ts';
import { graphSizeProblems } from '../compile/read-graph.ts';
import { inputNames, inputSchemaProblems, noInputs, schemaSizeProblems } from './input-schema.ts';
import { msg } from '../../../messages/index.ts';
import type { Tool } from '../../tools/index.ts';
import { typeProblems } from '../types/type-problems.ts';

const maxPlanBytes = 1024 * 1024;
const mostErrors = 50;

/** The checked content of a workflow. */
export interface Definition {
  /** Problems of an incomplete draft; then the plan has no steps. */
  problems?: FieldProblem[];
  inputSchema: InputSchema;
  plan: AgentPlan;
  layout: WorkflowLayout;
  graph?: WorkflowGraph;
}

/** Parts of a workflow definition, of which any may be absent. */
export interface DefinitionInput {
  inputSchema?: InputSchema | undefined;
  plan?: AgentPlan | undefined;
  layout?: WorkflowLayout | undefined;
  graph?: WorkflowGraph | undefined;
}

/** The parts of the host that a complete definition is checked against. */
export interface DefinitionRules {
  types: () => Promise<NodeTypes>;
  /** Returns true if a tool runs a workflow. */
  runsWorkflow: (tool: string) => Promise<boolean>;
  tools: () => Promise<readonly Tool[]>;
}

/**
 * Reads a definition: a graph without a plan is compiled.
 * @throws HostError 422 `invalid_workflow` that names each step, or node, and field
 */
export async function readDefinition(
  input: DefinitionInput,
  { types, runsWorkflow, tools }: DefinitionRules,
): Promise<Definition> {
  const { inputSchema = noInputs, graph } = input;
  refuse(await inputSchemaProblems(inputSchema));
  const whole = input.plan
    ? { plan: input.plan, layout: input.layout ?? {} }
    : compiled(graph, inputSchema, await types());
  // Beside a plan the graph is only for display, so only its size matters.
  if (input.plan && graph) refuse(graphSizeProblems(graph));
  const fromGraph = input.plan === undefined;
  const nesting = await nestingSteps(whole.plan, runsWorkflow);
  const refuseInPlan = (problems: readonly FieldError[]): void =>
    refuse(fromGraph ? nodeProblems(whole.plan, problems) : problems);
  refuseInPlan(definitionProblems(whole.plan, inputSchema, nesting));
  refuseInPlan(typeProblems(whole.plan, inputSchema, await tools()));
  refuse(layoutProblems(whole.plan, whole.layout));
  return { inputSchema, ...whole, ...(graph && { graph }) };
}

/**
 * Reads a definition that may still be incomplete, while a person edits its graph. The size limits
 * apply all the same.
 * @throws HostError 422 `invalid_workflow`
 */
export async function readDraft(
  input: DefinitionInput,
  rules: DefinitionRules,
): Promise<Definition> {
  try {
    return await readDefinition(input, rules);
  } catch (error) {
    const { inputSchema = noInputs, graph } = input;
    if (!(error instanceof HostError) || !error.errors || !graph) throw error;
    refuse([...graphSizeProblems(graph), ...schemaSizeProblems(inputSchema)]);
    return {
      inputSchema,
      plan: { steps: [] },
      layout: {},
      graph,
      problems: error.errors.map(fieldProblem),
    };
  }
}

/** @throws HostError 422 `invalid_workflow` */
function compiled(
  graph: WorkflowGraph | undefined,
  inputSchema: InputSchema,
  types: NodeTypes,
): { plan: AgentPlan; layout: WorkflowLayout } {
  if (graph === undefined)
    throw invalidWorkflow([{ path: 'plan', message: msg('workflow.contentMissing') }]);
  const done = compileGraph(graph, inputSchema, types);
  if ('problems' in done) throw invalidWorkflow(done.problems);
  return done;
}

const refuse = (problems: readonly FieldError[]): void => {
  if (problems.length > 0) throw invalidWorkflow(problems);
};

function definitionProblems(
  plan: AgentPlan,
  inputSchema: InputSchema,
  nesting: readonly FieldError[],
): FieldError[] {
  const { steps } = plan;
  if (steps.length > maxWorkflowSteps) {
    const message = msg('workflow.tooManySteps', {
      count: steps.length,
      limit: maxWorkflowSteps,
    });
    return [{ path: 'steps', message }];
  }
  if (Buffer.byteLength(JSON.stringify(plan)) > maxPlanBytes)
    return [{ path: 'plan', message: msg('workflow.planTooLarge') }];
  const inputs = inputNames(inputSchema);
  return [...nesting, ...goalProblems(plan, inputs), ...planProblems(plan, { inputs })];
}

/** A workflow that runs another could run itself endlessly. */
async function nestingSteps(
  { steps }: AgentPlan,
  runsWorkflow: DefinitionRules['runsWorkflow'],
): Promise<FieldError[]> {
  const problems = steps.map(async ({ tool }, index) => {
    if (!(await runsWorkflow(tool))) return [];
    const message = msg('workflow.nested', { tool });
    return [{ path: `steps.${index}.tool`, message }];
  });
  return (await Promise.all(problems)).flat();
}

/** The goal is resolved before any step has a result. */
function goalProblems({ goal = '' }: AgentPlan, inputs: ReadonlySet<string>): FieldError[] {
  try {
    return referencesIn(goal)
      .filter(({ reference: { source, key } }) => source !== 'inputs' || !inputs.has(key))
      .map(({ reference: { text, source } }) => {
        const name = text.slice(0, 200);
        const message =
          source === 'inputs'
            ? msg('plan.undeclaredInput', { name })
            : msg('workflow.unknownBeforeFirstStep', { name });
        return { path: 'goal', message };
      });
  } catch (error) {
    if (!(error instanceof ReferenceProblem)) throw error;
    return [{ path: 'goal', message: error.text }];
  }
}

function layoutProblems({ steps }: AgentPlan, layout: WorkflowLayout): FieldError[] {
  return Object.keys(layout)
    .filter((index) => Number(index) >= steps.length)
    .map((index) => ({ path: `layout.${index}`, message: msg('workflow.layoutUnknownStep') }));
}

/** The problems of a draft about which nothing else is known. */
export const incompleteProblems = [{ path: 'graph', message: msg('workflow.incomplete') }];

export function invalidWorkflow(problems: readonly FieldError[]): HostError {
  const [first] = problems;
  const text = msg('workflow.invalid', {
    path: first?.path ?? '',
    problem: first?.message ?? '',
    more: Math.max(problems.length - 1, 0),
  });
  return new HostError('unprocessable', 'invalid_workflow', text, {
    errors: problems.slice(0, mostErrors),
  });
}
