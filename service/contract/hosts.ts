import { z } from 'zod';
import { endpoint, token } from './endpoint.ts';

/** A host that shares the database. */
export const ClusterHost = z.object({
  /** Stored in the work directory of the host. */
  id: z.string(),
  name: z.string(),
  version: z.string(),
  /** ISO 8601, UTC, by the clock of the database. */
  startedAt: z.string(),
  lastSeenAt: z.string(),
  /** `draining`: accepts no more runs. `lost`: no heartbeat for 30 s. */
  state: z.enum(['up', 'draining', 'lost']),
  /** Ids of the runs that it executes. */
  running: z.array(z.string()),
  /** True for the host that answers. */
  self: z.boolean(),
});
export type ClusterHost = z.output<typeof ClusterHost>;

export const hosts = {
  list: endpoint({
    method: 'GET',
    path: '/api/hosts',
    access: token,
    summary: 'The hosts that share the database; a single host lists itself',
    reply: z.array(ClusterHost),
  }),
  drain: endpoint({
    method: 'POST',
    path: '/api/hosts/{id}/drain',
    access: token,
    summary: 'Let a host finish its runs and take no more',
    params: z.object({ id: z.string().max(64) }),
    reply: ClusterHost,
    status: 202,
    problems: ['unknown_host', 'not_clustered'],
  }),
};
