import { ActionIcon, Tooltip } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconMaximize,
  IconNote,
  IconSitemap,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react';
import { Panel, useReactFlow } from '@xyflow/react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { keysText } from '../../ui/frame/keys-text.ts';
import { fitting } from './canvas-nodes.ts';
import { useWorkflow } from './workflow-context.ts';
import type { WorkflowActions } from './use-workflow-actions.ts';

/** Shows the actions for the entire canvas. */
export function CanvasTools({ actions }: { actions: WorkflowActions }) {
  const { t } = useTranslation();
  const { editor, state } = useWorkflow();
  const { past, future } = state.history;
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  const undo = t('flows.undo', { keys: keysText('mod+z') });
  const redo = t('flows.redo', { keys: keysText('mod+Shift+z') });
  return (
    <Panel
      position="bottom-left"
      className="flow-tools"
      role="toolbar"
      aria-label={t('flows.tools')}
    >
      <Tool label={undo} icon={IconArrowBackUp} off={past.length === 0} run={() => editor.undo()} />
      <Tool
        label={redo}
        icon={IconArrowForwardUp}
        off={future.length === 0}
        run={() => editor.redo()}
      />
      <Tool label={t('flows.zoomIn')} icon={IconZoomIn} run={() => void zoomIn()} />
      <Tool label={t('flows.zoomOut')} icon={IconZoomOut} run={() => void zoomOut()} />
      <Tool label={t('flows.fit')} icon={IconMaximize} run={() => void fitView(fitting)} />
      <Tool label={t('flows.arrange')} icon={IconSitemap} run={actions.arrange} />
      <Tool label={t('flows.addNote')} icon={IconNote} run={actions.addNote} />
    </Panel>
  );
}

interface ToolProps {
  label: string;
  icon: Icon;
  off?: boolean;
  run: () => void;
}

function Tool({ label, icon: Shape, off = false, run }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        aria-disabled={off}
        data-disabled={off || undefined}
        onClick={off ? undefined : run}
      >
        <Shape size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
