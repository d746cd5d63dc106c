import { IconAlertTriangle } from '@tabler/icons-react';
import { useReactFlow } from '@xyflow/react';
import { useTranslation } from 'react-i18next';
import { titleOf } from '../../state/flows/node-kinds.ts';
import type { PlacedProblem } from '../../state/flows/problems.ts';
import { useFlow } from './flow-context.ts';
import { fieldMessage } from '../../core/messages/field-messages.ts';

/** What has to be repaired before the workflow can run; each leads to where it is. */
export function ProblemBar() {
  const { t } = useTranslation();
  const { problems, content } = useFlow();
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

function ProblemLink({ problem: { nodeId, field, message } }: { problem: PlacedProblem }) {
  const flow = useFlow();
  const { fitView } = useReactFlow();
  const node = flow.content.graph.nodes.find(({ id }) => id === nodeId);
  const where = node ? titleOf(node, flow.kinds) : field;
  const label = node ? labelIn(flow, nodeId, field) : '';
  const go = () => {
    if (!node) return flow.open('inputs');
    flow.select([node.id]);
    flow.open('step');
    void fitView({ nodes: [{ id: node.id }], maxZoom: 1, padding: 0.6 });
  };
  return (
    <button type="button" className="untrusted" onClick={go}>
      <strong>{label === '' ? where : `${where}: ${label}`}</strong> {fieldMessage(message)}
    </button>
  );
}

/** What the form calls it. */
function labelIn({ kinds, content }: ReturnType<typeof useFlow>, id: string | null, field: string) {
  const name = /^inputs\.([^.]+)/.exec(field)?.[1];
  const type = content.graph.nodes.find((node) => node.id === id)?.data['nodeType'];
  const input = kinds.get(String(type))?.inputs.find((one) => one.name === name);
  return input?.label ?? name ?? '';
}
