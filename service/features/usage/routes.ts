import { Readable } from 'node:stream';
import { api } from '../../contract/index.ts';
import { StreamReply } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import type { PriceList } from './price-list.ts';
import { type Titles, usageCsv, usageReport } from './usage-report.ts';
import type { UsageStore } from './usage-store.ts';

export function usageRoutes(store: UsageStore, prices: PriceList, titles: Titles): Route[] {
  return [
    route(api.usage.prices, () => prices.view()),
    route(api.usage.setPrices, ({ body }) => prices.replace(body)),
    route(api.usage.report, async ({ query }) =>
      usageReport(await store.sums(query), prices, titles),
    ),
    route(api.usage.export, async ({ query }) => {
      const csv = await usageCsv(await store.sums(query), prices, titles);
      return new StreamReply(Readable.from([Buffer.from(csv)]), {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': 'attachment; filename="model-usage.csv"',
      });
    }),
  ];
}
