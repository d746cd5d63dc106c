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
import { textOf } from '../../../messages/index.ts';

const maxPlanBytes = 1024 * 1024;
const mostErrors = 50;

/** What a workflow is made of. */
export interface Definition {
  /** Of a draft that is not whole; then the plan has no steps. */
  problems?: FieldProblem[];
  inputSchema: InputSchema;
  plan: AgentPlan;
  layout: WorkflowLayout;
  graph?: WorkflowGraph;
}

export interface DefinitionInput {
  inputSchema?: InputSchema | undefined;
  plan?: AgentPlan | undefined;
  layout?: WorkflowLayout | undefined;
  graph?: WorkflowGraph | undefined;
}

/** What the whole of a definition can be checked against. */
export interface DefinitionRules {
  types: () => Promise<NodeTypes>;
  /** Whether a tool runs a workflow. */
  runsWorkflow: (tool: string) => Promise<boolean>;
}

/**
 * The definition that was meant: a graph without a plan is compiled.
 * @throws HostError 422 `invalid_workflow` that names each step, or node, and field
 */
export async function readDefinition(
  input: DefinitionInput,
  { types, runsWorkflow }: DefinitionRules,
): Promise<Definition> {
  const { inputSchema = noInputs, graph } = input;
  refuse(await inputSchemaProblems(inputSchema));
  const whole = input.plan
    ? { plan: input.plan, layout: input.layout ?? {} }
    : compiled(graph, inputSchema, await types());
  // Beside a plan it is for whoever draws it, so nothing but its size matters.
  if (input.plan && graph) refuse(graphSizeProblems(graph));
  const fromGraph = input.plan === undefined;
  const nesting = await nestingSteps(whole.plan, runsWorkflow);
  const problems = definitionProblems(whole.plan, inputSchema, nesting);
  refuse(fromGraph ? nodeProblems(whole.plan, problems) : problems);
  refuse(layoutProblems(whole.plan, whole.layout));
  return { inputSchema, ...whole, ...(graph && { graph }) };
}

/**
 * A definition that need not be whole yet: a person is at work on its graph. What is too large is refused
 * all the same.
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
    throw invalidWorkflow([{ path: 'plan', message: 'is missing: give a plan or a graph' }]);
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
    const message = `are ${steps.length}, where ${maxWorkflowSteps} are allowed. Split the workflow`;
    return [{ path: 'steps', message }];
  }
  if (Buffer.byteLength(JSON.stringify(plan)) > maxPlanBytes)
    return [{ path: 'plan', message: 'is larger than 1 MiB. Shorten what its steps hold' }];
  const inputs = inputNames(inputSchema);
  return [...nesting, ...goalProblems(plan, inputs), ...planProblems(plan, { inputs })];
}

/** A workflow that runs another could run itself without an end. */
async function nestingSteps(
  { steps }: AgentPlan,
  runsWorkflow: DefinitionRules['runsWorkflow'],
): Promise<FieldError[]> {
  const problems = steps.map(async ({ tool }, index) => {
    if (!(await runsWorkflow(tool))) return [];
    const message = `${tool} runs a workflow, and a workflow cannot run another one. Copy its steps in here`;
    return [{ path: `steps.${index}.tool`, message }];
  });
  return (await Promise.all(problems)).flat();
}

/** A goal is read before any step has a result. */
function goalProblems({ goal = '' }: AgentPlan, inputs: ReadonlySet<string>): FieldError[] {
  try {
    return referencesIn(goal)
      .filter(({ reference: { source, key } }) => source !== 'inputs' || !inputs.has(key))
      .map(({ reference: { text, source } }) => ({
        path: 'goal',
        message: `${text.slice(0, 200)} ${source === 'inputs' ? 'names an input that is not declared' : 'is not known before the first step'}`,
      }));
  } catch (error) {
    if (!(error instanceof ReferenceProblem)) throw error;
    return [{ path: 'goal', message: error.message }];
  }
}

function layoutProblems({ steps }: AgentPlan, layout: WorkflowLayout): FieldError[] {
  return Object.keys(layout)
    .filter((index) => Number(index) >= steps.length)
    .map((index) => ({ path: `layout.${index}`, message: 'names a step that is not there' }));
}

/** What is said of a draft where nothing else is known of it. */
export const incompleteProblems = [
  { path: 'graph', message: 'is not whole yet. Open the workflow and store it again' },
];

export function invalidWorkflow(problems: readonly FieldError[]): HostError {
  const [first] = problems;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  const detail = `The workflow is not valid. ${first?.path ?? ''} ${textOf(first?.message ?? '')}${more}.`;
  return new HostError('unprocessable', 'invalid_workflow', detail, {
    errors: problems.slice(0, mostErrors),
  });
}
