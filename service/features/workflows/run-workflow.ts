import {
  ChatFile,
  type RunDetails,
  type Workflow,
  type WorkflowRun,
} from '../../contract/index.ts';
import { replaceReferences, textOf, valueAt } from '../../core/references.ts';
import { msg } from '../../messages/index.ts';
import type { NewRun, RunEnding, RunOrder } from '../agent/index.ts';
import type { ToolCaller } from '../tools/index.ts';
import { invalidWorkflow, incompleteProblems } from './definition/check-definition.ts';
import { inputNames } from './definition/input-schema.ts';
import { type HostInput, invalidInputs, readInputs } from './definition/read-inputs.ts';

/** Starts and reads runs. */
export interface RunStarter {
  start(run: NewRun): Promise<{ runId: string; ended: Promise<RunEnding> }>;
  cancel(runId: string): Promise<unknown>;
  show(runId: string): Promise<RunDetails>;
  /** Returns the stored run without counting as a person who watches it. */
  row(runId: string): Promise<Pick<RunDetails, 'status'>>;
}

export type WorkflowOrder = WorkflowRun & Pick<RunOrder, 'trigger'>;

/**
 * Starts a run of a definition with these inputs.
 * @throws HostError 422 `invalid_workflow` for an incomplete draft, `invalid_inputs`, or the error
 * of `start`
 */
export async function runWorkflow(
  workflow: Workflow,
  order: WorkflowOrder,
  starter: RunStarter,
  caller?: ToolCaller,
): Promise<{ runId: string; ended: Promise<RunEnding> }> {
  const { config, trigger } = order;
  if (workflow.plan.steps.length === 0) throw invalidWorkflow(incompleteProblems);
  const { values, files, fileLists } = await resolveInputs(workflow, order);
  return starter.start({
    goal: goalOf(workflow, values),
    order: {
      config,
      inputs: values,
      inputNames: [...inputNames(workflow.inputSchema)],
      files,
      fileLists,
      ...(trigger && { trigger }),
    },
    plan: workflow.plan,
    planApproval: config.planApproval ?? false,
    workflowId: workflow.id,
    ...(caller ? { caller } : {}),
  });
}

/**
 * Returns the inputs that a run would start with, without granting any files.
 * @throws HostError 422 `invalid_inputs`
 */
export async function resolveInputs(
  { inputSchema }: Pick<Workflow, 'inputSchema'>,
  { inputs, files = [] }: Pick<WorkflowRun, 'inputs' | 'files'>,
) {
  const named = new Set(files.flatMap(({ name }) => (name === undefined ? [] : [name])));
  const { values, host } = await readInputs(inputSchema, inputs, named);
  const fileLists = host.filter(({ many }) => many).map(({ name }) => name);
  return { values, files: [...files, ...host.flatMap(filesOf)], fileLists };
}

function goalOf({ name, plan }: Workflow, values: Readonly<Record<string, unknown>>): string {
  const goal = replaceReferences(plan.goal ?? '', (reference) =>
    valueAt(values[reference.key] ?? null, reference),
  );
  return textOf(goal).trim() || name;
}

function filesOf({ name, kind, many, value }: HostInput): ChatFile[] {
  if (kind === 'shared-directory') return [{ name, createSharedDirectory: true }];
  const all = many && Array.isArray(value) ? (value as unknown[]) : [value];
  return all.filter((one) => one !== undefined).map((one) => fileOf(name, one));
}

/** Reads a file in the form of the files of a run, or as a grant of a plugin. */
function fileOf(name: string, value: unknown): ChatFile {
  const isObject = typeof value === 'object' && value !== null;
  const meant = isObject && 'pluginId' in value ? { refs: [value] } : value;
  const read = ChatFile.safeParse(isObject ? { ...(meant as object), name } : meant);
  if (read.success) return read.data;
  throw invalidInputs([{ path: `inputs.${name}`, message: msg('inputs.notFile') }]);
}
