import type { Metrics } from '../features/diagnostics/index.ts';
import type { AppContext } from './app-context.ts';
import type { AiFeatures } from './compose-ai-features.ts';

/** Adds the metrics of a cluster, updated after each heartbeat. */
export function addClusterMetrics(
  { cluster, log }: Pick<AppContext, 'cluster' | 'log'>,
  metrics: Metrics,
  { running }: Pick<AiFeatures, 'running'>,
): void {
  if (cluster === null) return;
  const values = { hosts: 1, runs: 0, own: 0 };
  metrics.addGauge('host.cluster.hosts', 'Hosts of the cluster that are up', () => values.hosts);
  metrics.addGauge(
    'host.cluster.runs',
    'Runs that hosts of the cluster execute',
    () => values.runs,
  );
  metrics.addGauge('host.cluster.own.runs', 'Runs that this host executes', () => values.own);
  const read = async (): Promise<void> => {
    const hosts = await cluster.hosts();
    const runs = await running();
    values.hosts = hosts.filter(({ state }) => state === 'up').length;
    values.runs = [...runs.values()].flat().length;
    values.own = runs.get(cluster.hostId)?.length ?? 0;
  };
  cluster.beat.subscribe(() => {
    read().catch((error: unknown) =>
      log.warn('metrics', `The cluster could not be counted: ${String(error)}`),
    );
  });
}
