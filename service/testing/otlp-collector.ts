import { createServer, type IncomingMessage } from 'node:http';
import { z } from 'zod';
import { listenOn } from './web-server.ts';

const attributes = z.array(
  z.object({ key: z.string(), value: z.object({ stringValue: z.string() }) }),
);
/** Nanoseconds since 1970; OTLP/JSON writes 64-bit integers as strings. */
const time = z.string().regex(/^\d{19}$/);
const span = { attributes, startTimeUnixNano: time, timeUnixNano: time };
const number = z.strictObject({
  ...span,
  asInt: z.int().optional(),
  asDouble: z.number().optional(),
});
const histogram = z.strictObject({
  ...span,
  count: z.int(),
  sum: z.number(),
  max: z.number(),
  min: z.undefined().optional(),
  bucketCounts: z.array(z.int()),
  explicitBounds: z.array(z.number()),
});
const cumulative = z.literal(2);
const metric = z.strictObject({
  name: z.string(),
  description: z.string().min(1),
  unit: z.string(),
  gauge: z.strictObject({ dataPoints: z.array(number) }).optional(),
  sum: z
    .strictObject({
      aggregationTemporality: cumulative,
      isMonotonic: z.literal(true),
      dataPoints: z.array(number),
    })
    .optional(),
  histogram: z
    .strictObject({ aggregationTemporality: cumulative, dataPoints: z.array(histogram) })
    .optional(),
});
const request = z.strictObject({
  resourceMetrics: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeMetrics: z.array(
        z.object({
          scope: z.object({ name: z.string(), version: z.string() }),
          metrics: z.array(metric),
        }),
      ),
    }),
  ),
});

export type OtlpMetric = z.output<typeof metric>;

/** A received request. */
export interface Push {
  path: string;
  headers: IncomingMessage['headers'];
  resource: Record<string, string>;
  metrics: OtlpMetric[];
}

/** A metrics collector for tests. */
export interface OtlpCollector {
  base: string;
  port: number;
  /** Received requests, in order. */
  pushes: Push[];
  /** Reasons for refused bodies. */
  refusals: string[];
  /** Sets the status of later answers; null never answers. Default: 200. */
  answers(status: number | null): void;
  close(): Promise<void>;
}

/** Starts a collector on loopback that accepts OTLP/JSON metrics and refuses everything else. */
export async function startOtlpCollector(): Promise<OtlpCollector> {
  const pushes: Push[] = [];
  const refusals: string[] = [];
  let status: number | null = 200;
  const server = createServer((req, res) => {
    void read(req).then(
      (push) => {
        pushes.push(push);
        if (status === null) return;
        res.writeHead(status, { 'Content-Type': 'application/json' }).end('{}');
      },
      (error: unknown) => {
        refusals.push(String(error));
        res.writeHead(400).end();
      },
    );
  });
  const web = await listenOn(server);
  return {
    base: web.base,
    port: web.port,
    pushes,
    refusals,
    close: web.close,
    answers: (next) => (status = next),
  };
}

async function read(req: IncomingMessage): Promise<Push> {
  const { method, url = '', headers } = req;
  if (method !== 'POST' || headers['content-type'] !== 'application/json')
    throw new Error(`${method} of ${headers['content-type']}`);
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const body = request.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
  const [first] = body.resourceMetrics;
  return {
    path: url,
    headers,
    resource: tagsOf(first?.resource.attributes ?? []),
    metrics: body.resourceMetrics.flatMap(({ scopeMetrics }) =>
      scopeMetrics.flatMap(({ metrics }) => metrics),
    ),
  };
}

export const tagsOf = (attributeList: z.output<typeof attributes>): Record<string, string> =>
  Object.fromEntries(attributeList.map(({ key, value }) => [key, value.stringValue]));
