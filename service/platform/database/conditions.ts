import type { Value } from './database.ts';

/** Order of a list by time, newest first; equal times are ordered by descending id. */
export interface NewestFirst {
  table: string;
  /** The column with the time. */
  at: string;
}

/** Values of columns; a list matches any of its values, undefined adds no condition. */
export type Equal<Column extends string = string> = Readonly<
  Partial<Record<Column, Value | readonly Value[] | undefined>>
>;

/** The WHERE clause of a list for `Database.select`, with its values as `$1`, `$2`, … */
export class Conditions {
  readonly values: Value[] = [];
  private readonly all: string[];

  constructor(...always: string[]) {
    this.all = always;
  }

  static equal(columns: Equal): Conditions {
    const conditions = new Conditions();
    for (const [column, value] of Object.entries(columns))
      if (value !== undefined) conditions.add(conditions.equals(column, value));
    return conditions;
  }

  private equals(column: string, value: Value | readonly Value[]): string {
    if (value === null) return `"${column}" IS NULL`;
    if (!isList(value)) return `"${column}" = ${this.value(value)}`;
    if (value.length === 0) return '1 = 0';
    return `"${column}" IN (${value.map((one) => this.value(one)).join(', ')})`;
  }

  add(condition: string): void {
    this.all.push(condition);
  }

  /** Adds a value and returns its placeholder. */
  value(value: Value): string {
    return `$${this.values.push(value)}`;
  }

  /** Matches rows whose lower-case text column contains the text, ignoring case. */
  contains(column: string, text: string): string {
    const pattern = `%${text.toLowerCase().replace(/[!%_]/g, '!$&')}%`;
    return `${column} LIKE ${this.value(pattern)} ESCAPE '!'`;
  }

  /** Restricts the list to rows after that id; matches nothing if there is no such row. */
  addAfter({ table, at }: NewestFirst, id: string): void {
    const last = this.value(id);
    const then = `(SELECT ${at} FROM ${table} WHERE id = ${last})`;
    this.add(`(${at} < ${then} OR (${at} = ${then} AND id < ${last}))`);
  }

  get text(): string {
    return this.all.length === 0 ? '1 = 1' : this.all.join(' AND ');
  }
}

const isList = (value: Value | readonly Value[]): value is readonly Value[] => Array.isArray(value);
