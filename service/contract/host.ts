import { z } from 'zod';
import { endpoint, open, token } from './endpoint.ts';

const Measurement = z.object({ statistic: z.string(), value: z.number() });

export const Metric = z.object({
  name: z.string(),
  description: z.string(),
  baseUnit: z.string().nullable(),
  measurements: z.array(Measurement),
  availableTags: z.array(z.object({ tag: z.string(), values: z.array(z.string()) })),
});
export type Metric = z.output<typeof Metric>;

export const host = {
  health: endpoint({
    method: 'GET',
    path: '/api/health',
    access: open,
    summary: 'Whether the service answers',
    reply: z.object({ status: z.literal('ok') }),
  }),
  openapi: endpoint({
    method: 'GET',
    path: '/api/openapi.json',
    access: token,
    summary: 'This API, as OpenAPI 3.1',
    reply: z.record(z.string(), z.unknown()),
  }),
  metrics: endpoint({
    method: 'GET',
    path: '/actuator/metrics',
    access: token,
    summary: 'The names of all metrics',
    reply: z.object({ names: z.array(z.string()) }),
  }),
  metric: endpoint({
    method: 'GET',
    path: '/actuator/metrics/{name}',
    access: token,
    summary: 'One metric; ?tag=key:value narrows it',
    params: z.object({ name: z.string().max(200) }),
    query: z.object({ tag: z.union([z.string(), z.array(z.string())]).optional() }),
    reply: Metric,
    problems: ['unknown_metric'],
  }),
  /** Exists only where the service serves the shell itself. */
  webSession: endpoint({
    method: 'POST',
    path: '/api/web/session',
    access: open,
    summary: 'Exchange the one-time ticket of the address for the token',
    body: z.strictObject({ ticket: z.string().max(200) }),
    reply: z.object({ token: z.string() }),
    problems: ['ticket_used'],
  }),
} as const;
