import { randomUUID } from 'node:crypto';
import { HostError } from '../../../core/host-error.ts';
import { msg } from '../../../messages/index.ts';
import type { HostText } from '../../../messages/index.ts';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { ErrorKind } from '../../../core/host-error.ts';

/** A request to the host that executes a run. */
export interface RunRequestBody {
  kind: 'approve' | 'cancel' | 'stop';
  data: unknown;
}

interface Failure {
  kind: ErrorKind;
  code: string;
  text: HostText;
  details?: string;
}
type Answer = { value: unknown } | { failure: Failure };

/** Time limit for an answer; a lost host gives none. */
const limitMs = 15_000;
/** Time after which answered requests are removed. */
const retainedMs = 60_000;

/**
 * Lets a host act on a run that another one owns: a row contains the request and its answer, and
 * NOTIFY wakes both sides.
 */
export class RunRequests {
  private readonly database: Database;
  private readonly pending = new Map<string, (answer: Answer) => void>();
  private readonly unsubscribe: () => void;
  private readonly onRequest: (runId: string) => void;

  /** `isMine`: true if this host executes the run; `act` performs the request. */
  constructor(options: {
    cluster: Cluster;
    database: Database;
    isMine: (runId: string) => boolean;
    act: (runId: string, body: RunRequestBody) => Promise<unknown>;
    onError: (what: string, error: unknown) => void;
  }) {
    const { cluster, database, isMine, act, onError } = options;
    this.database = database;
    this.onRequest = (runId) => {
      const work = [this.readAnswers(), this.serve(runId, isMine, act)];
      for (const one of work)
        one.catch((error: unknown) => onError('A request about a run was not handled', error));
    };
    this.unsubscribe = cluster.requested.subscribe(this.onRequest);
  }

  /** Serves requests about a run that arrived before this host had it; `*`: about any run. */
  catchUp(runId: string): void {
    this.onRequest(runId);
  }

  /**
   * Asks the host that owns the run, and resolves with its answer.
   * @throws HostError of that host, or 503 `host_silent` after 15 s
   */
  async ask(runId: string, body: RunRequestBody): Promise<unknown> {
    const id = randomUUID();
    const answered = Promise.withResolvers<Answer>();
    this.pending.set(id, answered.resolve);
    const timer = setTimeout(() => answered.resolve({ failure: silent }), limitMs).unref();
    try {
      await this.database.select(
        `INSERT INTO cluster_requests (id, run_id, kind, body, created_at)
         VALUES ($1, $2, $3, $4, now()) RETURNING id`,
        [id, runId, body.kind, JSON.stringify(body.data ?? null)],
      );
      const answer = await answered.promise;
      if ('value' in answer) return answer.value;
      const { kind, code, text, details } = answer.failure;
      throw new HostError(kind, code, text, details === undefined ? {} : { details });
    } finally {
      clearTimeout(timer);
      this.pending.delete(id);
      await this.forget(id);
    }
  }

  /** Performs the requests of other hosts about runs of this one. */
  private async serve(
    about: string,
    isMine: (runId: string) => boolean,
    act: (runId: string, body: RunRequestBody) => Promise<unknown>,
  ): Promise<void> {
    if (about !== '*' && !isMine(about)) return;
    const rows = await this.database.select<{
      id: string;
      run_id: string;
      kind: string;
      body: string;
    }>(
      `SELECT id, run_id, kind, body FROM cluster_requests
       WHERE answer IS NULL AND ($1 = '*' OR run_id = $1) ORDER BY created_at`,
      [about],
    );
    for (const { id, run_id: runId, kind, body } of rows) {
      if (!isMine(runId) || !(await this.take(id))) continue;
      const data: unknown = JSON.parse(body);
      const answer = await act(runId, { kind: kind as RunRequestBody['kind'], data }).then(
        (value): Answer => ({ value: value ?? null }),
        (error: unknown): Answer => ({ failure: failureOf(error) }),
      );
      await this.database.select(
        'UPDATE cluster_requests SET answer = $2 WHERE id = $1 RETURNING id',
        [id, JSON.stringify(answer)],
      );
    }
  }

  /** Each request is served once, even if this host is woken twice. */
  private async take(id: string): Promise<boolean> {
    const taken = await this.database.select(
      `UPDATE cluster_requests SET answer = '' WHERE id = $1 AND answer IS NULL RETURNING id`,
      [id],
    );
    return taken.length > 0;
  }

  private async readAnswers(): Promise<void> {
    if (this.pending.size === 0) return;
    const rows = await this.database.select<{ id: string; answer: string }>(
      `SELECT id, answer FROM cluster_requests WHERE answer <> ''`,
    );
    for (const { id, answer } of rows) this.pending.get(id)?.(JSON.parse(answer) as Answer);
  }

  private async forget(id: string): Promise<void> {
    await this.database
      .select(
        `DELETE FROM cluster_requests WHERE id = $1
         OR created_at < now() - $2::int * interval '1 millisecond' RETURNING id`,
        [id, retainedMs],
      )
      .catch(() => undefined);
  }

  close(): void {
    this.unsubscribe();
    for (const answer of this.pending.values()) answer({ failure: silent });
  }
}

const silent: Failure = {
  kind: 'unavailable',
  code: 'host_silent',
  text: msg('cluster.noAnswer'),
};

function failureOf(error: unknown): Failure {
  if (!(error instanceof HostError))
    return { kind: 'unavailable', code: 'host_failed', text: msg('host.internalError') };
  const { kind, code, text, details } = error;
  return { kind, code, text, ...(details === undefined ? {} : { details }) };
}
