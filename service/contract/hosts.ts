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

/**
 * The key that encrypts the secrets of a shared database. `none`: no cluster has used the database.
 * `missing`: this host needs the recovery text.
 */
export const ClusterKeyState = z.enum(['none', 'available', 'missing']);
export type ClusterKeyState = z.output<typeof ClusterKeyState>;

const keyState = z.object({ state: ClusterKeyState });
const recoveryText = z.object({ recoveryText: z.string().min(1).max(200) });

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
  key: endpoint({
    method: 'GET',
    path: '/api/hosts/key',
    access: token,
    summary: "Whether this host has the cluster's key, which encrypts shared secrets",
    reply: keyState,
  }),
  recoveryText: endpoint({
    method: 'POST',
    path: '/api/hosts/key/recovery-text',
    access: token,
    summary: "The cluster's key as text, to enter on a host that lacks it",
    reply: recoveryText,
    problems: ['not_clustered', 'cluster_key_missing'],
  }),
  enterKey: endpoint({
    method: 'PUT',
    path: '/api/hosts/key',
    access: token,
    summary: 'Give this host the key of the cluster',
    body: recoveryText,
    reply: keyState,
    problems: ['not_clustered', 'recovery_text_invalid', 'wrong_recovery_text'],
  }),
};
