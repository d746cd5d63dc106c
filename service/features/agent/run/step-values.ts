import { isDeepStrictEqual } from 'node:util';
import type { ActiveFileRef, PlanStep } from '../../../contract/index.ts';
import {
  type Reference,
  ReferenceProblem,
  replaceReferences,
  valueAt,
} from '../../../core/references.ts';
import { msg } from '../../../messages/index.ts';
import { fileMark } from '../plan/check-plan.ts';

/** An answer of which head and tail were kept alone. */
class CutResult {
  readonly visible: unknown;
  readonly bytes: number;

  constructor(visible: unknown, bytes: number) {
    this.visible = visible;
    this.bytes = bytes;
  }
}

/** What later steps may have of an answer that is kept as `result`. */
export const resultOf = (result: unknown, cutBytes: number | undefined): unknown =>
  cutBytes === undefined ? result : new CutResult(result, cutBytes);

/** What people see of it. */
export const visibleResult = (value: unknown): unknown =>
  value instanceof CutResult ? value.visible : value;

/** What the references of a run stand for. */
export interface RunValues {
  /** Of the steps that are done, by index. */
  results: ReadonlyMap<number, unknown>;
  /** Index of the step with that id. */
  indexOf(id: string): number | undefined;
  /** Those that are done, in the order in which they were. */
  order: readonly number[];
  /** Of the workflow that is run. */
  inputOf(name: string): unknown;
  files: RunFiles;
}

/** What was chosen for a run, by the name that plans use. */
export type RunFiles = ReadonlyMap<string, RunFile>;

export interface RunFile {
  refs: readonly ActiveFileRef[];
  /** Stands for a list, even where it is one file. */
  isList: boolean;
}

/** @throws ReferenceProblem */
export function resolveValue(value: unknown, step: PlanStep, values: RunValues): unknown {
  return replaceReferences(value, (reference) =>
    valueAt(rootOf(reference, step, values), reference),
  );
}

/** A step that was left out has no result: null. */
function rootOf({ source, key }: Reference, step: PlanStep, values: RunValues): unknown {
  if (source === 'inputs') return values.inputOf(key) ?? null;
  const index =
    source === 'last'
      ? values.order.findLast((done) => step.dependsOn.includes(done))
      : source === 'node'
        ? values.indexOf(key)
        : Number(key);
  const value = index === undefined ? null : (values.results.get(index) ?? null);
  if (!(value instanceof CutResult)) return value;
  throw new ReferenceProblem(
    msg('run.resultTooLarge', {
      step: Number(index) + 1,
      size: `${Math.ceil(value.bytes / 1024)} KiB`,
    }),
  );
}

/** Whether a step is to be done, as far as its own condition says. */
export function conditionHolds(step: PlanStep, values: RunValues): boolean {
  const { when } = step;
  if (when === undefined) return true;
  const value = conditionValue(when.value, step, values);
  const resolved = (other: unknown): unknown => resolveValue(other, step, values);
  if (when.exists !== undefined) return (value !== undefined && value !== null) === when.exists;
  if ('equals' in when) return isDeepStrictEqual(value, resolved(when.equals));
  if ('notEquals' in when) return !isDeepStrictEqual(value, resolved(when.notEquals));
  return Boolean(value);
}

/** What stands for nothing is a value, too, where it is asked about. */
function conditionValue(value: unknown, step: PlanStep, values: RunValues): unknown {
  try {
    return resolveValue(value, step, values);
  } catch (error) {
    if (error instanceof ReferenceProblem) return undefined;
    throw error;
  }
}

/**
 * Puts the files of the plugin in the place of `@file:<name>`.
 * @throws ReferenceProblem
 */
export function withFiles(value: unknown, pluginId: string | undefined, files: RunFiles): unknown {
  if (typeof value === 'string' && value.startsWith(fileMark)) {
    return fileOf(value.slice(fileMark.length), pluginId, files);
  }
  if (Array.isArray(value)) return value.map((one) => withFiles(one, pluginId, files));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withFiles(inner, pluginId, files)]),
  );
}

function fileOf(name: string, pluginId: string | undefined, files: RunFiles): unknown {
  const visible = `${fileMark}${name.slice(0, 200)}`;
  const notChosen = (): ReferenceProblem =>
    new ReferenceProblem(msg('run.fileNotChosen', { file: visible }));
  const file = files.get(name);
  if (!file) throw notChosen();
  if (pluginId === undefined)
    throw new ReferenceProblem(msg('run.fileForPluginsOnly', { file: visible }));
  if (file.refs.length === 0) {
    if (file.isList) return [];
    throw notChosen();
  }
  const granted = file.refs
    .filter((one) => one.pluginId === pluginId)
    .map(({ pluginId: _, ...ref }) => ref);
  if (granted.length === 0)
    throw new ReferenceProblem(msg('run.fileNotGranted', { plugin: pluginId, file: visible }));
  return file.isList ? granted : granted[0];
}

/** What later steps see of a tool's answer: structured answers are values, others are texts. */
export function valueOfOutput(output: string): unknown {
  if (!/^\s*[{[]/.test(output)) return output;
  try {
    return JSON.parse(output) as unknown;
  } catch {
    return output;
  }
}
