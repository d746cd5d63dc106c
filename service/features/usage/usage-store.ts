import { Conditions } from '../../platform/database/conditions.ts';
import type { Database } from '../../platform/database/database.ts';
import { localUser } from '../../platform/database/local-user.ts';

/** The tokens of one answer, or the sum of several with the same day, model and conversation. */
export interface UsageEntry {
  /** `2026-01-31`. */
  day: string;
  /** A mode, or the id of a provider. */
  provider: string;
  model: string;
  /** Empty: no conversation. */
  conversationId: string;
  answers: number;
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  reasoningTokens: number;
  estimatedAnswers: number;
}

/** Databases return sums as numbers or as text. */
type Sums = Record<'answers' | 'input' | 'output' | 'cached' | 'reasoning' | 'estimated', unknown> &
  Record<'day' | 'provider' | 'model' | 'conversation_id', string>;

/** A range of months. */
export interface Period {
  /** Months, both inclusive. */
  from?: string | undefined;
  to?: string | undefined;
}

/** More than years of daily use produce. */
const maxEntries = 200_000;

export class UsageStore {
  private readonly database: Database;
  /** Insertions in progress, so that readers can wait for them. */
  private readonly adding = new Set<Promise<unknown>>();

  constructor(database: Database) {
    this.database = database;
  }

  async add(entry: UsageEntry): Promise<void> {
    const adding = this.database.insert('model_usage', {
      user_id: localUser,
      day: entry.day,
      provider: entry.provider.slice(0, 100),
      model: entry.model.slice(0, 500),
      conversation_id: entry.conversationId.slice(0, 36),
      input_tokens: entry.inputTokens,
      output_tokens: entry.outputTokens,
      cached_tokens: entry.cachedTokens,
      reasoning_tokens: entry.reasoningTokens,
      estimated: entry.estimatedAnswers,
    });
    this.adding.add(adding);
    await adding.finally(() => this.adding.delete(adding));
  }

  /** Returns sums by day, model and conversation, oldest day first. */
  async sums({ from, to }: Period): Promise<UsageEntry[]> {
    await Promise.allSettled(this.adding);
    const where = Conditions.equal({ user_id: localUser });
    if (from !== undefined) where.add(`"day" >= ${where.value(`${from}-01`)}`);
    if (to !== undefined) where.add(`"day" <= ${where.value(`${to}-31`)}`);
    const groups = '"day", "provider", "model", "conversation_id"';
    const sum = (column: string, name: string): string => `SUM("${column}") AS "${name}"`;
    const rows = await this.database.select<Sums>(
      `SELECT ${groups}, COUNT(*) AS "answers", ${sum('input_tokens', 'input')},
       ${sum('output_tokens', 'output')}, ${sum('cached_tokens', 'cached')},
       ${sum('reasoning_tokens', 'reasoning')}, ${sum('estimated', 'estimated')}
       FROM "model_usage" WHERE ${where.text} GROUP BY ${groups} ORDER BY ${groups}
       LIMIT ${maxEntries}`,
      where.values,
    );
    return rows.map((row) => ({
      day: row.day,
      provider: row.provider,
      model: row.model,
      conversationId: row.conversation_id,
      answers: Number(row.answers),
      inputTokens: Number(row.input),
      outputTokens: Number(row.output),
      cachedTokens: Number(row.cached),
      reasoningTokens: Number(row.reasoning),
      estimatedAnswers: Number(row.estimated),
    }));
  }
}
