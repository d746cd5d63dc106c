import { ActionIcon, Menu } from '@mantine/core';
import { IconVariable } from '@tabler/icons-react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { refusalOf } from '../../state/workflows/connecting.ts';
import type { GraphNode } from '../../state/workflows/graph.ts';
import { stepData } from '../../state/workflows/graph.ts';
import { withEdge } from '../../state/workflows/graph-edits.ts';
import type { OfferedValue } from '../../state/workflows/offered-values.ts';
import { offeredValues } from '../../state/workflows/offered-values.ts';
import { useWorkflow } from './workflow-context.ts';

interface ValueMenuProps {
  node: GraphNode;
  /** Label of the input that receives the value. */
  label: string;
  /** True for the list itself, which cannot refer to its elements. */
  isForList?: boolean;
  onChoose: (reference: string) => void;
}

/**
 * Lists the values that are available to the step: inputs of the workflow, and results of other
 * steps.
 */
export function ValueMenu({ node, label, isForList = false, onChoose }: ValueMenuProps) {
  const { t } = useTranslation();
  const { content, kinds, editor } = useWorkflow();
  const { graph, inputSchema } = content;
  const offered = offeredValues(graph, kinds, { id: node.id, inputSchema });
  const choose = ({ reference, from, connects }: OfferedValue) => {
    const wire = from && { source: from.id, target: node.id };
    if (connects && wire && refusalOf(graph, kinds, wire) === null)
      editor.changeGraph((now) => withEdge(now, wire), `value ${node.id}`);
    onChoose(reference);
  };
  const hasElement = !isForList && stepData(node).forEach !== undefined;
  const groups = Map.groupBy(offered, ({ from }) => from?.id ?? null);
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon
          size="sm"
          variant="subtle"
          color="gray"
          aria-label={t('flows.insertInto', { name: label })}
        >
          <IconVariable size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown className="flow-values">
        {hasElement && <ElementValues onChoose={onChoose} />}
        {offered.length === 0 && !hasElement && <Menu.Label>{t('flows.noValues')}</Menu.Label>}
        {[...groups].map(([id, values]) => (
          <div key={id ?? ''} role="group">
            <Menu.Label className="untrusted">
              {values[0]?.from?.title ?? t('flows.ofFlow')}
            </Menu.Label>
            {values.map((value) => (
              <Menu.Item key={value.reference} onClick={() => choose(value)}>
                <span className="untrusted">{value.name ?? t('flows.wholeResult')}</span>
                {value.connects && <span className="menu-text">{t('flows.willConnect')}</span>}
              </Menu.Item>
            ))}
          </div>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function ElementValues({ onChoose }: Pick<ValueMenuProps, 'onChoose'>) {
  const { t } = useTranslation();
  return (
    <div role="group">
      <Menu.Label>{t('flows.ofElement')}</Menu.Label>
      <Menu.Item onClick={() => onChoose('{{item}}')}>{t('flows.element')}</Menu.Item>
      <Menu.Item onClick={() => onChoose('{{index}}')}>{t('flows.elementIndex')}</Menu.Item>
    </div>
  );
}
