import { isDeepStrictEqual } from 'node:util';
import type { ActiveFileRef, PlanStep } from '../../../contract/index.ts';
import {
  type Reference,
  ReferenceProblem,
  replaceReferences,
  valueAt,
} from '../../../core/references.ts';
import { msg } from '../../../messages/index.ts';
import { fileMark } from '../plan/plan-problems.ts';

/** A result of which only head and tail are stored. */
class CutResult {
  // Private, so that no reference leads into it.
  readonly #visible: unknown;
  readonly #bytes: number;

  constructor(visible: unknown, bytes: number) {
    this.#visible = visible;
    this.#bytes = bytes;
  }

  get visible(): unknown {
    return this.#visible;
  }

  get bytes(): number {
    return this.#bytes;
  }
}

/** The value that later steps see for a stored `result`. */
export const resultOf = (result: unknown, cutBytes: number | undefined): unknown =>
  cutBytes === undefined ? result : new CutResult(result, cutBytes);

/** Returns the value that people see for it. */
export function visibleResult(value: unknown): unknown {
  if (value instanceof CutResult) return value.visible;
  return Array.isArray(value) && value.some(isCut) ? value.map(visibleResult) : value;
}

const isCut = (value: unknown): value is CutResult => value instanceof CutResult;

/** One element of the list of a step with `forEach`. */
export interface Element {
  item: unknown;
  index: number;
}

/** The step, and for a list its element, whose references are resolved. */
export interface ValueScope {
  step: PlanStep;
  element?: Element | undefined;
}

/** The values that references in a plan can name. */
export interface RunValues {
  /** Results of completed steps by index. */
  results: ReadonlyMap<number, unknown>;
  /** Index of the step with that id. */
  indexOf(id: string): number | undefined;
  /** Indexes of completed steps in order of completion. */
  order: readonly number[];
  /** Input of the workflow that is run. */
  inputOf(name: string): unknown;
  files: RunFiles;
}

/** Chosen files by the name that plans use. */
export type RunFiles = ReadonlyMap<string, RunFile>;

/** The plugin files behind one name. */
export interface RunFile {
  refs: readonly ActiveFileRef[];
  /** The value is an array even for a single file. */
  isList: boolean;
}

/** Replaces references in a value. @throws ReferenceProblem */
export function resolveValue(value: unknown, scope: ValueScope, values: RunValues): unknown {
  const { element } = scope;
  const valueOf = (reference: Reference): unknown => {
    const { source, key } = reference;
    if (source === 'index') return valueAt(element?.index, reference);
    if (source === 'item') return valueAt(element?.item, reference);
    if (source === 'inputs') return valueAt(values.inputOf(key) ?? null, reference);
    return valueOfStep(reference, scope.step, values);
  };
  return replaceReferences(value, valueOf, { element: element !== undefined });
}

function valueOfStep(reference: Reference, step: PlanStep, values: RunValues): unknown {
  const index = indexOfStep(reference, step, values);
  // A skipped step has no result: null.
  const root = index === undefined ? null : (values.results.get(index) ?? null);
  if (isCut(root)) throw tooLarge(Number(index), root);
  const found = valueAt(root, reference);
  const cut = Array.isArray(found) ? found.find(isCut) : found;
  if (isCut(cut)) throw tooLarge(Number(index), cut);
  return found;
}

function indexOfStep(
  { source, key }: Reference,
  step: PlanStep,
  values: RunValues,
): number | undefined {
  if (source === 'last') return values.order.findLast((done) => step.dependsOn.includes(done));
  return source === 'node' ? values.indexOf(key) : Number(key);
}

const tooLarge = (index: number, { bytes }: CutResult): ReferenceProblem =>
  new ReferenceProblem(
    msg('run.resultTooLarge', { step: index + 1, size: `${Math.ceil(bytes / 1024)} KiB` }),
  );

/** Evaluates the step's own condition. */
export function conditionHolds(step: PlanStep, values: RunValues): boolean {
  const { when } = step;
  if (when === undefined) return true;
  const value = conditionValue(when.value, step, values);
  const resolved = (other: unknown): unknown => resolveValue(other, { step }, values);
  if (when.exists !== undefined) return (value !== undefined && value !== null) === when.exists;
  if ('equals' in when) return isDeepStrictEqual(value, resolved(when.equals));
  if ('notEquals' in when) return !isDeepStrictEqual(value, resolved(when.notEquals));
  return Boolean(value);
}

/** A missing value is null in a condition. */
function conditionValue(value: unknown, step: PlanStep, values: RunValues): unknown {
  try {
    return resolveValue(value, { step }, values);
  } catch (error) {
    if (error instanceof ReferenceProblem) return undefined;
    throw error;
  }
}

/**
 * Replaces `@file:<name>` with the files granted to the plugin.
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

/** Parses structured answers as JSON; others stay strings. */
export function valueOfOutput(output: string): unknown {
  if (!/^\s*[{[]/.test(output)) return output;
  try {
    return JSON.parse(output) as unknown;
  } catch {
    return output;
  }
}
