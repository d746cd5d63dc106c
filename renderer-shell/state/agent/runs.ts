import type { Client } from '../../../service/client/index.ts';
import type { BatchRequest, RunRequest, RunSummary } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import type { Shell } from '../shell.ts';
import type { ListPage } from '../searched-list.ts';
import { SearchedList } from '../searched-list.ts';
import { AgentRun } from './agent-run.ts';
import { createDraft } from './run-draft.ts';

/** Runs beyond this many are forgotten, the one that was looked at longest ago. */
const maxOpen = 12;
/** What the service gives at once. */
const mostAtOnce = 200;

type ContinueOptions = { how: 'resume' } | { how: 'fork' } | { how: 'rewind'; keepSteps: number };

/** The runs of the shell: their list, those that are open, and the one that is being thought of. */
export class Runs {
  readonly list: SearchedList<RunSummary>;
  readonly draft = createDraft();
  readonly #client: Client;
  readonly #open = new Map<string, AgentRun>();

  constructor(client: Client) {
    this.#client = client;
    this.list = new SearchedList({
      read: (page) => readRuns(client, page),
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

  /** A new run that goes on from that one; resolves with its id. Rejects with `ServiceError`. */
  async continueRun(id: string, way: ContinueOptions): Promise<string> {
    const client = this.#client;
    const { runId } =
      way.how === 'resume'
        ? await client.call(api.agent.resume, { params: { runId: id } })
        : way.how === 'fork'
          ? await client.call(api.agent.fork, { params: { id } })
          : await client.call(api.agent.rewind, {
              params: { id },
              body: { keepSteps: way.keepSteps },
            });
    return this.#started([runId]);
  }

  #started(runIds: readonly string[]): string {
    void this.list.refresh();
    return runIds[0] ?? '';
  }

  /** After the service was away. */
  refresh(): void {
    void this.list.refresh();
    for (const run of this.#open.values()) run.retry();
  }

  close(): void {
    for (const run of this.#open.values()) run.close();
  }
}

async function readRuns(client: Client, page: ListPage): Promise<RunSummary[]> {
  const found: RunSummary[] = [];
  let { before } = page;
  for (let remaining = Number(page.limit); remaining > 0; remaining -= mostAtOnce) {
    const limit = Math.min(remaining, mostAtOnce);
    const query = { ...page, limit: String(limit), ...(before === undefined ? {} : { before }) };
    const some = await client.call(api.agent.runs, { query });
    found.push(...some);
    before = some.at(-1)?.runId;
    if (some.length < limit) break;
  }
  return found;
}

const runsByShell = new WeakMap<Shell, Runs>();

/** They stay while the shell does, also when another area is looked at. */
export function runsOf(shell: Shell): Runs {
  let runs = runsByShell.get(shell);
  if (runs === undefined) {
    const made = new Runs(shell.client);
    const stop = shell.connection.state.subscribe(() => {
      if (shell.connection.state.get() === 'online') made.refresh();
    });
    shell.closing.addEventListener('abort', () => {
      stop();
      made.close();
    });
    runsByShell.set(shell, made);
    runs = made;
  }
  return runs;
}
