import { ActionIcon, TextInput } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { WorkflowNode } from '../../../service/contract/index.ts';
import { matchesQuery } from '../../core/matches-query.ts';
import { useShell } from '../../state/shell.ts';
import { useWorkflow } from './workflow-context.ts';
import { NodeIcon } from './node-icon.tsx';
import { useWorkflowActions } from './use-workflow-actions.ts';

/** The data type of a dragged node. */
export const draggedType = 'application/x-flow-node';

/** Lists the node types; a click adds one beside the selected step, or it can be dragged. */
export function NodePalette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const workflow = useWorkflow();
  const actions = useWorkflowActions(workflow);
  const [query, setQuery] = useState('');
  const found = [...workflow.kinds.values()].filter(({ label, type, tool, description = '' }) =>
    matchesQuery(query, label, type, tool, description),
  );
  const groups = Map.groupBy(found, groupOf);
  const add = (type: string) => {
    actions.addStep(type);
    if (workflow.narrow) onClose();
  };
  return (
    <section className="flow-palette" aria-label={t('flows.palette')}>
      <div className="flow-palette-head">
        <h2>{t('flows.palette')}</h2>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={t('flows.hidePalette')}
          onClick={onClose}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </div>
      <TextInput
        size="xs"
        mx="sm"
        mb="xs"
        leftSection={<IconSearch size={14} aria-hidden />}
        placeholder={t('flows.searchNodes')}
        aria-label={t('flows.searchNodes')}
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={(event) => {
          const [first] = found;
          if (event.key === 'Enter' && first && !event.nativeEvent.isComposing) add(first.type);
        }}
      />
      <div className="flow-palette-rows">
        {found.length === 0 && <p className="list-note">{t('flows.noNodes', { query })}</p>}
        {[...groups].map(([group, nodes]) => (
          <NodeGroup key={group} group={group} nodes={nodes} onAdd={add} />
        ))}
      </div>
    </section>
  );
}

/** Nodes of one plugin form one group, with or without a form of their own. */
const groupOf = ({ group, pluginId }: WorkflowNode): string =>
  group ?? (pluginId === null ? 'host' : `plugin:${pluginId}`);

interface NodeGroupProps {
  group: string;
  nodes: readonly WorkflowNode[];
  onAdd: (type: string) => void;
}

function NodeGroup({ group, nodes, onAdd }: NodeGroupProps) {
  const { t } = useTranslation();
  const { plugins } = useShell();
  const [origin = '', id = ''] = group.split(/:(.*)/s);
  const names: Readonly<Record<string, string>> = {
    host: t('flows.ownNodes'),
    tools: t('flows.toolNodes'),
    plugin: plugins.find(id)?.name ?? id,
  };
  const name = names[origin] ?? id;
  return (
    <>
      <h3 className="untrusted">{name}</h3>
      <ul>
        {nodes.map((kind) => (
          <li key={kind.type}>
            <button
              type="button"
              className="row"
              draggable
              title={kind.description}
              onClick={() => onAdd(kind.type)}
              onDragStart={({ dataTransfer }) => {
                dataTransfer.setData(draggedType, kind.type);
                dataTransfer.effectAllowed = 'copy';
              }}
            >
              <NodeIcon kind={kind} />
              <span className="row-name untrusted">{kind.label}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
