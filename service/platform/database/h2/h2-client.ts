import { EventEmitter } from 'node:events';
import type { Row } from './bridge-protocol.ts';
import type { H2Engine } from './h2-engine.ts';
import { bridgeEnded } from './h2-errors.ts';
import { h2StepOf } from './h2-rewrites.ts';
import type { H2Session } from './h2-session.ts';

/** The properties that Sequelize's `postgres` dialect reads from a result. */
interface PostgresResult {
  command: string;
  rows: Row[];
  rowCount: number;
  fields: never[];
}

type Done<T> = (error: Error | null, value?: T) => void;

/** The driver of the `postgres` dialect for one database: the part of `pg` that Sequelize uses. */
export function h2Driver(engine: H2Engine): object {
  return {
    Client: class extends H2Client {
      constructor() {
        super(engine);
      }
    },
    types: { getTypeParser: () => (value: unknown) => value },
    defaults: {},
  };
}

class H2Client extends EventEmitter {
  /** Sequelize listens here for messages of the server; H2 sends none. */
  readonly connection = new EventEmitter();
  private readonly engine: H2Engine;
  private session: H2Session | null = null;

  constructor(engine: H2Engine) {
    super();
    this.engine = engine;
  }

  /** Read by Sequelize before it uses a pooled connection. */
  get _invalid(): boolean {
    return this.session?.usable !== true;
  }

  /** Sequelize sets it; the session determines the actual value. */
  set _invalid(_value: boolean) {
    void this.session?.close();
  }

  connect(done: Done<void>): void {
    this.engine.session().then((session) => {
      this.session = session;
      done(null);
    }, done);
  }

  query(
    sql: string,
    values?: readonly unknown[] | Done<PostgresResult>,
    done?: Done<PostgresResult>,
  ): Promise<PostgresResult> | undefined {
    const callback = typeof values === 'function' ? values : done;
    const running = this.run(sql, typeof values === 'function' ? [] : (values ?? []));
    if (callback === undefined) return running;
    running.then((result) => callback(null, result), callback);
    return undefined;
  }

  end(done: Done<void> = () => undefined): void {
    const closing = this.session?.close() ?? Promise.resolve();
    void closing.then(() => done(null));
  }

  private async run(sql: string, values: readonly unknown[]): Promise<PostgresResult> {
    if (!this.session?.usable) throw bridgeEnded();
    const step = h2StepOf(sql);
    const limitMs = this.engine.queryLimitMs;
    if (step.op !== 'query') {
      await this.session.change(step.op, limitMs);
      return { command: step.op.toUpperCase(), rows: [], rowCount: 0, fields: [] };
    }
    const { rows, count } = await this.session.query({ values, ...step }, limitMs);
    const command = /^\s*(\w+)/.exec(sql)?.[1]?.toUpperCase() ?? '';
    return { command, rows: step.shape?.(rows) ?? rows, rowCount: count, fields: [] };
  }
}
