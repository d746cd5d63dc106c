import type {
  DataType,
  Model,
  ModelAttributeColumnOptions,
  ModelStatic,
  Transaction,
} from 'sequelize';
import { Conditions, type Equal } from './conditions.ts';
import type { Database } from './database.ts';
import { selectRows } from './sequelize-database.ts';

type Column<Row> = keyof Row & string;

/** Condition, order and page of a SELECT. */
export interface Selection<Row> {
  where: Equal<Column<Row>> | Conditions;
  order?: readonly (Column<Row> | `${Column<Row>} DESC`)[];
  limit?: number;
  offset?: number;
  /** Sees what this one has changed. */
  transaction?: Transaction;
}

/** One table: its rows are read by `select`, which each database understands, and written by `model`. */
export class Table<Row extends object> {
  readonly model: ModelStatic<Model>;
  private readonly database: Database;
  private readonly name: string;

  /** Sequelize silently skips properties that are not among `columns`. */
  constructor(
    database: Database,
    name: string,
    columns: Record<Column<Row>, DataType | ModelAttributeColumnOptions>,
  ) {
    this.database = database;
    this.name = name;
    // Times are columns like others.
    this.model = database.sequelize.define(name, columns, { tableName: name, timestamps: false });
  }

  /** These columns as the driver gives them (see `values.ts`). */
  select<C extends Column<Row>>(
    columns: readonly C[],
    { where, order = [], limit, offset, transaction }: Selection<Row>,
  ): Promise<Pick<Row, C>[]> {
    const { text, values } = where instanceof Conditions ? where : Conditions.equal(where);
    const sql = [
      `SELECT ${columns.map(quoted).join(', ')} FROM ${quoted(this.name)} WHERE ${text}`,
      order.length > 0 && `ORDER BY ${order.map((by) => by.replace(/^\w+/, quoted)).join(', ')}`,
      limit !== undefined && `LIMIT ${limit}`,
      offset !== undefined && `OFFSET ${offset}`,
    ]
      .filter((part) => part !== false)
      .join(' ');
    return transaction === undefined
      ? this.database.select(sql, values)
      : selectRows(this.database.sequelize, sql, values, transaction);
  }

  /** `atOnce` rows by one statement, which servers limit in its length. */
  async addAll(rows: readonly Row[], transaction: Transaction, atOnce = 200): Promise<void> {
    const all = rows as readonly object[] as readonly Record<string, unknown>[];
    for (let start = 0; start < all.length; start += atOnce)
      await this.model.bulkCreate(all.slice(start, start + atOnce), { transaction });
  }
}

const quoted = (name: string): string => `"${name}"`;
