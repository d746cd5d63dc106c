import { createServer, type IncomingMessage } from 'node:http';
import { z } from 'zod';
import { listenOn } from './web-server.ts';

const id = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));
const time = z.string().regex(/^\d{19}$/);
const attributes = z.array(
  z.object({
    key: z.string(),
    value: z.object({ stringValue: z.string().optional(), intValue: z.int().optional() }),
  }),
);
const span = z.object({
  traceId: id(32),
  spanId: id(16),
  parentSpanId: id(16).optional(),
  name: z.string(),
  kind: z.literal(1),
  startTimeUnixNano: time,
  endTimeUnixNano: time,
  attributes,
  status: z.object({ code: z.int() }),
});
const request = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});

export type SeenSpan = Omit<z.output<typeof span>, 'attributes'> & {
  attributes: Record<string, string | number | undefined>;
};

/** A trace collector for tests. */
export interface TraceCollector {
  base: string;
  paths: string[];
  spans: SeenSpan[];
  /** All received bodies, unparsed. */
  text: string;
  refusals: string[];
  close(): Promise<void>;
}

/** Starts a collector on loopback that accepts OTLP/JSON traces and refuses everything else. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const seen = {
    paths: [] as string[],
    spans: [] as SeenSpan[],
    text: '',
    refusals: [] as string[],
  };
  const take = async (req: IncomingMessage): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const { resourceSpans } = request.parse(JSON.parse(text));
    seen.text += text;
    seen.paths.push(req.url ?? '');
    for (const { scopeSpans } of resourceSpans)
      for (const { spans } of scopeSpans)
        for (const one of spans) seen.spans.push({ ...one, attributes: valuesOf(one.attributes) });
  };
  const server = createServer((req, res) => {
    take(req).then(
      () => res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'),
      (error: unknown) => {
        seen.refusals.push(String(error));
        res.writeHead(400).end();
      },
    );
  });
  const { base, close } = await listenOn(server);
  return Object.assign(seen, { base, close });
}

const valuesOf = (attributeList: z.output<typeof attributes>): SeenSpan['attributes'] =>
  Object.fromEntries(
    attributeList.map(({ key, value }) => [key, value.stringValue ?? value.intValue] as const),
  );
