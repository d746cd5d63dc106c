import { CloseButton } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { RunDetails } from '../../../service/contract/index.ts';
import { lazyScreen } from '../../ui/frame/lazy-screen.tsx';

// Loaded on demand, since many people never open a graph.
const planGraph = lazyScreen(async () => (await import('../../ui/graph/plan-graph.tsx')).PlanGraph);

interface GraphPaneProps {
  details: RunDetails;
  onClose: () => void;
}

/** Shows the plan of a run as a graph beside its steps. */
export function GraphPane({ details: { plan, executions }, onClose }: GraphPaneProps) {
  const { t } = useTranslation();
  if (plan === null) return null;
  const steps = plan.steps.map(({ title, tool, dependsOn }, index) => ({
    title: title || tool,
    tool,
    dependsOn,
    status: executions[index]?.status ?? 'pending',
  }));
  return (
    <aside className="details graph-pane" aria-label={t('agent.graph')}>
      <div className="details-head">
        <h2>{t('agent.graph')}</h2>
        <CloseButton aria-label={t('agent.closeGraph')} onClick={onClose} />
      </div>
      <planGraph.Screen label={t('agent.graph')} steps={steps} />
    </aside>
  );
}
