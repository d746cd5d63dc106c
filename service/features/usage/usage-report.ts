import type { UsageReport, UsageSum } from '../../contract/index.ts';
import type { PriceList } from './price-list.ts';
import type { UsageEntry } from './usage-store.ts';

const maxConversations = 200;
const digits = 12;

/** Returns the titles of the stored conversations among these, by id. */
export type Titles = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** Summarizes the entries by month and model, and by conversation. */
export async function usageReport(
  entries: readonly UsageEntry[],
  prices: PriceList,
  titles: Titles,
): Promise<UsageReport> {
  const sum = (some: readonly UsageEntry[]): UsageSum => sumOf(some, prices);
  const months = [...Map.groupBy(entries, ({ day }) => day.slice(0, 7))].map(
    ([month, ofMonth]) => ({
      month,
      ...sum(ofMonth),
      models: [...Map.groupBy(ofMonth, ({ model }) => model)]
        .map(([model, ofModel]) => ({ model, ...sum(ofModel) }))
        .sort(byTokens),
    }),
  );
  const ofConversations = entries.filter(({ conversationId }) => conversationId !== '');
  const conversations = [...Map.groupBy(ofConversations, (entry) => entry.conversationId)]
    .map(([id, some]) => ({ id, ...sum(some) }))
    .sort(byTokens)
    .slice(0, maxConversations);
  const found = await titles(conversations.map(({ id }) => id));
  return {
    total: sum(entries),
    months,
    conversations: conversations.map((one) => {
      const title = found.get(one.id);
      return title === undefined ? one : { ...one, title };
    }),
  };
}

const tokensIn = ({ inputTokens, outputTokens }: UsageSum): number => inputTokens + outputTokens;
const byTokens = (a: UsageSum, b: UsageSum): number => tokensIn(b) - tokensIn(a);

function sumOf(entries: readonly UsageEntry[], prices: PriceList): UsageSum {
  const total: UsageSum = {
    answers: 0,
    inputTokens: 0,
    outputTokens: 0,
    cachedTokens: 0,
    reasoningTokens: 0,
    unpricedTokens: 0,
    estimatedAnswers: 0,
  };
  for (const entry of entries) {
    total.answers += entry.answers;
    total.inputTokens += entry.inputTokens;
    total.outputTokens += entry.outputTokens;
    total.cachedTokens += entry.cachedTokens;
    total.reasoningTokens += entry.reasoningTokens;
    total.estimatedAnswers += entry.estimatedAnswers;
    const cost = prices.costOf(entry.model, entry);
    if (cost === undefined) total.unpricedTokens += entry.inputTokens + entry.outputTokens;
    else total.cost = { ...cost, amount: (total.cost?.amount ?? 0) + cost.amount };
  }
  if (total.cost) total.cost.amount = Number(total.cost.amount.toPrecision(digits));
  return total;
}

const columns = [
  'day',
  'provider',
  'model',
  'conversation',
  'title',
  'answers',
  'estimatedAnswers',
  'inputTokens',
  'cachedTokens',
  'outputTokens',
  'reasoningTokens',
  'cost',
  'currency',
];

/** One line per day, model and conversation. */
export async function usageCsv(
  entries: readonly UsageEntry[],
  prices: PriceList,
  titles: Titles,
): Promise<string> {
  const found = await titles([...new Set(entries.map((entry) => entry.conversationId))]);
  const lines = entries.map((entry) => {
    const cost = prices.costOf(entry.model, entry);
    return [
      entry.day,
      entry.provider,
      entry.model,
      entry.conversationId,
      found.get(entry.conversationId) ?? '',
      entry.answers,
      entry.estimatedAnswers,
      entry.inputTokens,
      entry.cachedTokens,
      entry.outputTokens,
      entry.reasoningTokens,
      cost?.amount ?? '',
      cost?.currency ?? '',
    ];
  });
  return [columns, ...lines].map((line) => `${line.map(field).join(',')}\r\n`).join('');
}

/** RFC 4180. Text that a spreadsheet would evaluate as a formula is escaped. */
function field(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : `${value}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
