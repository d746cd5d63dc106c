import { Switch, TextInput } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { GraphNode } from '../../state/workflows/graph.ts';
import { stepData } from '../../state/workflows/graph.ts';
import { withData } from '../../state/workflows/graph-edits.ts';
import { JsonField } from './json-field.tsx';
import { ValueMenu } from './value-menu.tsx';
import { useWorkflow } from './workflow-context.ts';

/** Chooses whether the step runs once or for each element of a list. */
export function StepElements({ node }: { node: GraphNode }) {
  const { t } = useTranslation();
  const { editor } = useWorkflow();
  const { forEach } = stepData(node);
  const set = (next: unknown) =>
    editor.changeGraph((graph) => withData(graph, node.id, { forEach: next }), `each ${node.id}`);
  return (
    <div className="flow-when">
      <Switch
        size="xs"
        label={t('flows.forEach')}
        checked={forEach !== undefined}
        onChange={({ currentTarget: { checked } }) => set(checked ? [] : undefined)}
      />
      {forEach !== undefined && (
        <div className="flow-form">
          <p className="quiet plain">{t('flows.forEachText', { sample: '{{item}}, {{index}}' })}</p>
          <div className="flow-input">
            <div className="flow-input-menu">
              <ValueMenu
                node={node}
                label={t('flows.forEachList')}
                isForList
                onChoose={(reference) => set(reference)}
              />
            </div>
            {typeof forEach === 'string' ? (
              <TextInput
                size="xs"
                className="code-field"
                label={t('flows.forEachList')}
                value={forEach}
                onChange={({ currentTarget: { value } }) => set(value === '' ? [] : value)}
              />
            ) : (
              <JsonField
                label={t('flows.forEachList')}
                value={forEach}
                onChange={(next) => set(next ?? [])}
              />
            )}
          </div>
        </div>
      )}
    </div>
  );
}
