import type { Client } from '../../../service/client/index.ts';
import type { BatchRequest, RunRequest, RunSummary } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import type { Shell } from '../shell.ts';
import type { ListPage } from '../searched-list.ts';
import { SearchedList } from '../searched-list.ts';
import type { Store } from '../../core/store.ts';
import { createStore } from '../../core/store.ts';
import { AgentRun } from './agent-run.ts';
import { createDraft } from './run-draft.ts';

/** Limit of runs in memory; the one that was viewed longest ago is dropped first. */
const maxOpen = 12;
/** Limit of the service for one page. */
const maxPageSize = 200;

type ContinueOptions =
  { how: 'resume' } | { how: 'fork'; from?: number } | { how: 'rewind'; keepSteps: number };

/** The filter of the run list. */
export interface RunFilter {
  state: 'active' | 'completed' | 'failed' | 'stopped' | null;
  workflowId: string | null;
  /** Only runs of the last so many days; null for any time. */
  days: number | null;
}

export const noFilter: RunFilter = { state: null, workflowId: null, days: null };

const statusesOf = {
  active: 'planning,awaiting_plan_approval,running,awaiting_step_approval',
  completed: 'completed',
  failed: 'failed',
  stopped: 'cancelled,interrupted',
} as const;

/** The runs of the shell: their list, the open ones, and the draft of a new one. */
export class Runs {
  readonly list: SearchedList<RunSummary>;
  readonly draft = createDraft();
  readonly filter: Store<RunFilter> = createStore(noFilter);
  /** The step whose fields are open in the plan gate, by run id. */
  readonly editing = new Map<string, number>();
  readonly #client: Client;
  readonly #open = new Map<string, AgentRun>();

  constructor(client: Client) {
    this.#client = client;
    this.list = new SearchedList({
      read: (page) => readRuns(client, { ...page, ...filterQuery(this.filter.get()) }),
      idOf: ({ runId }) => runId,
    });
  }

  of(runId: string): AgentRun {
    const open = this.#open.get(runId);
    if (open) {
      this.#open.delete(runId);
      this.#open.set(runId, open);
      return open;
    }
    const ports = { client: this.#client, onChange: () => void this.list.refresh() };
    const run = new AgentRun(ports, runId);
    this.#open.set(runId, run);
    const [oldest] = this.#open.keys();
    if (this.#open.size > maxOpen && oldest !== undefined) this.#open.delete(oldest);
    return run;
  }

  /** Resolves with the id of the run; rejects with `ServiceError`. */
  async start(body: RunRequest): Promise<string> {
    const { runId } = await this.#client.call(api.agent.run, { body });
    return this.#started([runId]);
  }

  /** Resolves with the id of the first run. */
  async startBatch(body: BatchRequest): Promise<string> {
    const { runIds } = await this.#client.call(api.agent.batch, { body });
    return this.#started(runIds);
  }

  /**
   * Starts a new run that continues that one; resolves with its id. Rejects with `ServiceError`.
   */
  async continueRun(id: string, options: ContinueOptions): Promise<string> {
    const client = this.#client;
    const { runId } =
      options.how === 'resume'
        ? await client.call(api.agent.resume, { params: { runId: id } })
        : options.how === 'fork'
          ? await client.call(api.agent.fork, {
              params: { id },
              ...(options.from === undefined ? {} : { body: { from: options.from } }),
            })
          : await client.call(api.agent.rewind, {
              params: { id },
              body: { keepSteps: options.keepSteps },
            });
    return this.#started([runId]);
  }

  /** Removes a finished run. Rejects with `ServiceError`. */
  async remove(runId: string): Promise<void> {
    await this.#client.call(api.agent.remove, { params: { runId } });
    this.#open.get(runId)?.close();
    this.#open.delete(runId);
    void this.list.refresh();
  }

  setFilter(change: Partial<RunFilter>): void {
    const next = { ...this.filter.get(), ...change };
    const isEmpty = Object.values(next).every((value) => value === null);
    this.filter.set(isEmpty ? noFilter : next);
    void this.list.refresh();
  }

  #started(runIds: readonly string[]): string {
    void this.list.refresh();
    return runIds[0] ?? '';
  }

  /** Reads everything again after an outage of the service. */
  refresh(): void {
    void this.list.refresh();
    for (const run of this.#open.values()) run.retry();
  }

  close(): void {
    for (const run of this.#open.values()) run.close();
  }
}

const dayMs = 24 * 60 * 60_000;

const filterQuery = ({ state, workflowId, days }: RunFilter): Record<string, string> => ({
  ...(state === null ? {} : { status: statusesOf[state] }),
  ...(workflowId === null ? {} : { workflowId }),
  ...(days === null ? {} : { since: new Date(Date.now() - days * dayMs).toISOString() }),
});

async function readRuns(client: Client, page: ListPage): Promise<RunSummary[]> {
  const found: RunSummary[] = [];
  let { before } = page;
  for (let remaining = Number(page.limit); remaining > 0; remaining -= maxPageSize) {
    const limit = Math.min(remaining, maxPageSize);
    const query = { ...page, limit: String(limit), ...(before === undefined ? {} : { before }) };
    const some = await client.call(api.agent.runs, { query });
    found.push(...some);
    before = some.at(-1)?.runId;
    if (some.length < limit) break;
  }
  return found;
}

const runsByShell = new WeakMap<Shell, Runs>();

/** Returns the runs of a shell. They live as long as the shell, also while another area is open. */
export function runsOf(shell: Shell): Runs {
  let runs = runsByShell.get(shell);
  if (runs === undefined) {
    const created = new Runs(shell.client);
    const stop = shell.connection.state.subscribe(() => {
      if (shell.connection.state.get() === 'online') created.refresh();
    });
    shell.closing.addEventListener('abort', () => {
      stop();
      created.close();
    });
    runsByShell.set(shell, created);
    runs = created;
  }
  return runs;
}
