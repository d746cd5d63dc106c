import { ActionIcon, Tabs } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { isNote } from '../../state/workflows/graph.ts';
import type { Panel } from './workflow-context.ts';
import { panels, useWorkflow } from './workflow-context.ts';
import { ChatPanel } from './chat-panel.tsx';
import { HistoryPanel } from './history-panel.tsx';
import { InputsPanel } from './inputs-panel.tsx';
import { RunPanel } from './run-panel.tsx';
import { SchedulePanel } from './schedule-panel.tsx';
import { StepPanel } from './step-panel.tsx';

/** Shows the details of the selected step, or of the workflow. */
export function WorkflowDetails() {
  const { t } = useTranslation();
  const { panel, open } = useWorkflow();
  return (
    <aside className="details flow-details" aria-label={t('flows.details')}>
      <Tabs
        value={panel}
        onChange={(value) => open(value as Panel)}
        keepMounted={false}
        className="flow-tabs"
      >
        <div className="details-head">
          <Tabs.List>
            {panels.map((name) => (
              <Tabs.Tab key={name} value={name}>
                {t(`flows.panel.${name}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <span className="toolbar-gap" />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('action.close')}
            onClick={() => open(null)}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </div>
        <Tabs.Panel value="step" className="flow-panel">
          <ChosenStep />
        </Tabs.Panel>
        <Tabs.Panel value="inputs" className="flow-panel">
          <InputsPanel />
        </Tabs.Panel>
        <Tabs.Panel value="run" className="flow-panel">
          <RunPanel />
        </Tabs.Panel>
        <Tabs.Panel value="chat" className="flow-panel">
          <ChatPanel />
        </Tabs.Panel>
        <Tabs.Panel value="schedule" className="flow-panel">
          <SchedulePanel />
        </Tabs.Panel>
        <Tabs.Panel value="history" className="flow-panel">
          <HistoryPanel />
        </Tabs.Panel>
      </Tabs>
    </aside>
  );
}

function ChosenStep() {
  const { t } = useTranslation();
  const { selection, content } = useWorkflow();
  const chosen = content.graph.nodes.filter((node) => selection.has(node.id) && !isNote(node));
  const [node] = chosen;
  if (chosen.length !== 1 || !node)
    return (
      <p className="details-note">
        {chosen.length === 0 ? t('flows.noStep') : t('flows.manySteps', { count: chosen.length })}
      </p>
    );
  return <StepPanel key={node.id} node={node} />;
}
