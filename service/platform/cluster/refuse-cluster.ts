import { HostError } from '../../core/host-error.ts';
import { msg } from '../../messages/index.ts';
import type { ClusterHost } from './host-table.ts';

/** Codes of refusals that end the start of a host; see `isClusterRefusal`. */
const codes = new Set(['cluster_database', 'cluster_versions', 'cluster_schema', 'cluster_up']);

/** Reasons why a host cannot be part of a cluster. */
export const clusterRefusal = {
  database: (type: string): HostError =>
    new HostError('unprocessable', 'cluster_database', msg('cluster.wrongDatabase', { type })),
  beside: (others: readonly ClusterHost[]): HostError =>
    new HostError(
      'unprocessable',
      'cluster_up',
      msg('cluster.hostsUp', { hosts: others.map(({ name }) => name).join(', ') }),
    ),
  versions: (version: string, others: readonly ClusterHost[]): HostError =>
    new HostError(
      'unprocessable',
      'cluster_versions',
      msg('cluster.otherVersions', {
        version,
        hosts: others.map(({ name, version: other }) => `${name} (${other})`).join(', '),
      }),
    ),
};

export const isClusterRefusal = (error: unknown): boolean =>
  error instanceof HostError && codes.has(error.code);
