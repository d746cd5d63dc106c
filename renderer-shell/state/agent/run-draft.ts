import type {
  AgentConfig,
  BatchRequest,
  PermissionMode,
  RunRequest,
} from '../../../service/contract/index.ts';
import { filesOf } from '../chat/attachments.ts';
import type { Draft } from '../chat/conversation-state.ts';
import type { Store } from '../../core/store.ts';
import { createStore } from '../../core/store.ts';

export const maxGoals = 8;

/** The options of a new run; the host decides over absent ones. */
export interface RunOptions {
  planApproval: boolean;
  /** False if the run ends without a written answer. */
  answer?: boolean;
  concurrency?: number;
  maxSteps?: number;
  model?: string;
  /** True if the run may only read. */
  readOnly: boolean;
}

/** A run that is being composed; it is preserved while another area is open. */
export interface RunDraft {
  /** The goal and its files. */
  draft: Store<Draft>;
  /** The goals besides the first one. */
  more: Store<readonly string[]>;
  mode: Store<PermissionMode | null>;
  options: Store<RunOptions>;
  /** Called after the run started; the options stay for the next one. */
  clear(): void;
}

export function createDraft(): RunDraft {
  const empty: Draft = { text: '', attachments: [] };
  const draft = createStore(empty);
  const more = createStore<readonly string[]>([]);
  return {
    draft,
    more,
    mode: createStore<PermissionMode | null>(null),
    options: createStore<RunOptions>({ planApproval: true, readOnly: false }),
    clear: () => {
      draft.set(empty);
      more.set([]);
    },
  };
}

/** The current values of a draft. */
export interface RunDraftValues {
  draft: Draft;
  more: readonly string[];
  mode: PermissionMode | null;
  options: RunOptions;
}

/**
 * Returns true for several goals or a read-only run, which are started as a batch; a batch takes no
 * files.
 */
export const isBatch = ({ more, options }: Pick<RunDraftValues, 'more' | 'options'>): boolean =>
  more.length > 0 || options.readOnly;

/** Returns the goals that are not empty. */
export const goalsOf = ({ draft, more }: Pick<RunDraftValues, 'draft' | 'more'>): string[] =>
  [draft.text, ...more].map((goal) => goal.trim()).filter((goal) => goal !== '');

export function runOf({ draft, mode, options }: RunDraftValues): RunRequest {
  const files = filesOf(draft.attachments);
  return {
    goal: draft.text.trim(),
    config: configOf(options, mode),
    ...(files.length === 0 ? {} : { files }),
  };
}

export function batchOf(values: RunDraftValues): BatchRequest {
  const { options, mode } = values;
  return {
    goals: goalsOf(values),
    config: configOf(options, mode),
    ...(options.readOnly ? { capabilityMode: 'read-only' as const } : {}),
  };
}

function configOf(
  { readOnly: _, planApproval, answer, concurrency, maxSteps, model }: RunOptions,
  mode: PermissionMode | null,
): AgentConfig {
  return {
    planApproval,
    ...(answer === false ? { answer } : {}),
    ...(mode === null ? {} : { permissionMode: mode }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(maxSteps === undefined ? {} : { maxSteps }),
    ...(model === undefined || model === '' ? {} : { model }),
  };
}
