import type {
  AgentConfig,
  AgentPlan,
  ChatFile,
  Posture,
  RunStatus,
  RunSummary,
} from '../../../contract/index.ts';
import { type HostText, textOf, wireText } from '../../../messages/index.ts';

/** The stored request of a run, without its goal. */
export interface RunOrder {
  config: AgentConfig;
  capabilityMode?: 'read-only';
  /** Chosen by the user; granted again if the run is resumed after a restart. */
  files?: ChatFile[];
  /** Names of files that stand for a list, which several of `files` may share. */
  fileLists?: string[];
  /** Inputs of the workflow that it runs. */
  inputs?: Record<string, unknown>;
  /** Allowed names in `inputs.<name>`. */
  inputNames?: string[];
  /** True if the model drafted the plan, or the plan of the run that this one continues. */
  drafted?: boolean;
  /** Default: started by the user. */
  trigger?: 'chat' | 'schedule' | 'task';
  /** In a cluster: the facts about its start that another host needs. */
  handover?: {
    planApproval: boolean;
    /** Steps whose results come from the parent; absent: none do. */
    keepSteps?: number;
    /** Versions of the tools that the plan names, by name. */
    tools: Record<string, string>;
  };
}

/** A run as it is stored. */
export interface RunRow {
  runId: string;
  goal: string;
  status: RunStatus;
  posture: Posture;
  request: RunOrder;
  plan: AgentPlan | null;
  summary: HostText | null;
  error: HostText | null;
  parentRunId: string | null;
  batchId: string | null;
  workflowId: string | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  updatedAt: string;
  finishedAt: string | null;
  /** In a cluster: the host that executes it, and the number of times it changed hosts. */
  owner?: string | null;
  generation?: number;
  /** The host's name for people; not stored with the run. */
  host?: { id: string; name: string };
}

/** Texts are searchable up to this length. */
const searchedCharacters = 10_000;

export const searchTextOf = ({ goal, summary, error }: RunRow): string =>
  [goal, textOf(summary ?? ''), textOf(error ?? '')]
    .map((text) => text.slice(0, searchedCharacters).toLowerCase())
    .join('\n');

const optionalText = (name: 'summary' | 'error', text: HostText | null) =>
  text === null ? {} : wireText(name, text);

/** The fields of a run that lists show. */
export function summaryOf(row: RunRow): RunSummary {
  const optional = {
    finishedAt: row.finishedAt,
    ...optionalText('summary', row.summary),
    ...optionalText('error', row.error),
    parentRunId: row.parentRunId,
    batchId: row.batchId,
    workflowId: row.workflowId,
  };
  const present = Object.entries(optional).filter(([, value]) => value !== null && value !== '');
  return {
    runId: row.runId,
    goal: row.goal,
    status: row.status,
    posture: row.posture,
    ...(row.host ? { host: row.host } : {}),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    ...(Object.fromEntries(present) as Partial<RunSummary>),
  };
}
