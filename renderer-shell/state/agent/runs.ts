import type { Client } from '../../../service/client/index.ts';
import type { BatchRequest, RunRequest, RunSummary } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import type { Shell } from '../shell.ts';
import type { ListPage } from '../searched-list.ts';
import { SearchedList } from '../searched-list.ts';
import { AgentRun } from './agent-run.ts';
import { createDraft } from './run-draft.ts';

/** Runs beyond this many are forgotten, the one that was looked at longest ago. */
const keptOpen = 12;
/** What the service gives at once. */
const mostAtOnce = 200;

type Again = { how: 'resume' } | { how: 'fork' } | { how: 'rewind'; keepSteps: number };

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
    if (this.#open.size > keptOpen && oldest !== undefined) this.#open.delete(oldest);
    return run;
  }

  /** Resolves with the id of the run; rejects with `ServiceError`. */
  async begin(body: RunRequest): Promise<string> {
    const { runId } = await this.#client.call(api.agent.run, { body });
    return this.#begun([runId]);
  }

  /** Resolves with the id of the first run. */
  async beginBatch(body: BatchRequest): Promise<string> {
    const { runIds } = await this.#client.call(api.agent.batch, { body });
    return this.#begun(runIds);
  }

  /** A new run that goes on from that one; resolves with its id. Rejects with `ServiceError`. */
  async again(id: string, way: Again): Promise<string> {
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
    return this.#begun([runId]);
  }

  #begun(runIds: readonly string[]): string {
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
  for (let left = Number(page.limit); left > 0; left -= mostAtOnce) {
    const limit = Math.min(left, mostAtOnce);
    const query = { ...page, limit: String(limit), ...(before === undefined ? {} : { before }) };
    const some = await client.call(api.agent.runs, { query });
    found.push(...some);
    before = some.at(-1)?.runId;
    if (some.length < limit) break;
  }
  return found;
}

const known = new WeakMap<Shell, Runs>();

/** They stay while the shell does, also when another area is looked at. */
export function runsOf(shell: Shell): Runs {
  let runs = known.get(shell);
  if (runs === undefined) {
    const made = new Runs(shell.client);
    const stop = shell.connection.state.subscribe(() => {
      if (shell.connection.state.get() === 'online') made.refresh();
    });
    shell.closing.addEventListener('abort', () => {
      stop();
      made.close();
    });
    known.set(shell, made);
    runs = made;
  }
  return runs;
}
