import { IconAlertTriangle } from '@tabler/icons-react';
import { useReactFlow } from '@xyflow/react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { titleOf } from '../../state/workflows/node-kinds.ts';
import type { LocatedProblem } from '../../state/workflows/problems.ts';
import { useWorkflow } from './workflow-context.ts';
import { fieldText } from '../../core/messages/host-message.ts';

/** Lists the problems that keep the workflow from running; each links to its location. */
export function ProblemBar() {
  const { t } = useTranslation();
  const { problems, content } = useWorkflow();
  const isEmpty = content.graph.nodes.length === 0;
  if (problems.length === 0 || isEmpty) return null;
  return (
    <details className="flow-problems">
      <summary>
        <IconAlertTriangle size={16} aria-hidden />
        {t('flows.problems', { count: problems.length })}
      </summary>
      <ul>
        {problems.map((problem, index) => (
          <li key={index}>
            <ProblemLink problem={problem} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function ProblemLink({ problem }: { problem: LocatedProblem }) {
  const { nodeId, field } = problem;
  const workflow = useWorkflow();
  const { fitView } = useReactFlow();
  const node = workflow.content.graph.nodes.find(({ id }) => id === nodeId);
  const where = node ? titleOf(node, workflow.kinds) : field;
  const label = node ? labelIn(workflow, nodeId, field) : '';
  const go = () => {
    if (!node) return workflow.open('inputs');
    workflow.select([node.id]);
    workflow.open('step');
    void fitView({ nodes: [{ id: node.id }], maxZoom: 1, padding: 0.6 });
  };
  return (
    <button type="button" className="untrusted" onClick={go}>
      <strong>{label === '' ? where : `${where}: ${label}`}</strong> {fieldText(problem)}
    </button>
  );
}

/** Returns the label of a field in the form. */
function labelIn(
  { kinds, content }: ReturnType<typeof useWorkflow>,
  id: string | null,
  field: string,
) {
  const name = /^inputs\.([^.]+)/.exec(field)?.[1];
  const type = content.graph.nodes.find((node) => node.id === id)?.data['nodeType'];
  const input = kinds.get(String(type))?.inputs.find((one) => one.name === name);
  return input?.label ?? name ?? '';
}
