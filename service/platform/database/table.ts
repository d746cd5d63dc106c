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
  /** Includes the changes of this transaction. */
  transaction?: Transaction;
}

/** A table: rows are read with `select`, which works on each database, and written with `model`. */
export class Table<Row extends object> {
  readonly model: ModelStatic<Model>;
  private readonly database: Database;
  private readonly name: string;

  /** @param columns Sequelize silently ignores properties that are missing here */
  constructor(
    database: Database,
    name: string,
    columns: Record<Column<Row>, DataType | ModelAttributeColumnOptions>,
  ) {
    this.database = database;
    this.name = name;
    // Timestamps are ordinary columns.
    this.model = database.sequelize.define(name, columns, { tableName: name, timestamps: false });
  }

  /** Selects columns with values as returned by the driver (see `values.ts`). */
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

  /** Inserts `atOnce` rows per statement, since servers limit its length. */
  async addAll(rows: readonly Row[], transaction: Transaction, atOnce = 200): Promise<void> {
    const all = rows as readonly object[] as readonly Record<string, unknown>[];
    for (let start = 0; start < all.length; start += atOnce)
      await this.model.bulkCreate(all.slice(start, start + atOnce), { transaction });
  }
}

const quoted = (name: string): string => `"${name}"`;
