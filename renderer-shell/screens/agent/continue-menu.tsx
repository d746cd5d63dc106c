import { ActionIcon, Button, Menu } from '@mantine/core';
import {
  IconDots,
  IconDownload,
  IconPlayerTrackNext,
  IconRepeat,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { ContinueMode } from '../../state/agent/continue-modes.ts';
import { continueModes } from '../../state/agent/continue-modes.ts';
import { runsOf } from '../../state/agent/runs.ts';
import { fileNameOf, saveAs } from '../../state/plugin-files/save-target.ts';
import type { Shell } from '../../state/shell.ts';
import { api, type RunDetails } from '../../../service/contract/index.ts';
import { RemoveDialog } from '../../ui/frame/remove-dialog.tsx';
import { FloatingError } from './floating-error.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useShell } from '../../state/shell.ts';
import { RewindDialog } from './rewind-dialog.tsx';

/** Offers the ways to continue a finished run, each as a new run. */
export function ContinueMenu({ details }: { details: RunDetails }) {
  const { t } = useTranslation();
  const shell = useShell();
  const action = useAction();
  const [rewinding, setRewinding] = useState(false);
  const [removing, setRemoving] = useState(false);
  const modes = continueModes(details);
  const start = (how: 'resume' | 'fork') =>
    void action.run(async () => {
      const id = await runsOf(shell).continueRun(details.runId, { how });
      shell.route.go({ area: 'agent', id });
    });
  return (
    <>
      <FloatingError action={action} />
      {modes.includes('resume') && (
        <Button
          size="xs"
          loading={action.busy}
          leftSection={<IconPlayerTrackNext size={14} aria-hidden />}
          title={t('agent.again.resumeText')}
          onClick={() => start('resume')}
        >
          {t('agent.again.resume')}
        </Button>
      )}
      {modes.includes('fork') && (
        <Button
          size="xs"
          variant={modes.includes('resume') ? 'default' : 'filled'}
          loading={action.busy}
          leftSection={<IconRepeat size={14} aria-hidden />}
          title={t('agent.again.forkText')}
          onClick={() => start('fork')}
        >
          {t('agent.again.fork')}
        </Button>
      )}
      <MoreModes
        modes={modes}
        busy={action.busy}
        onStart={start}
        onRewind={() => setRewinding(true)}
        onExport={() => void action.run(() => exportRun(shell, details))}
        onRemove={() => setRemoving(true)}
      />
      {removing && (
        <RemoveDialog
          title={t('agent.remove.title')}
          quoted={details.goal}
          text={t('agent.remove.text')}
          confirm={t('agent.remove.confirm')}
          remove={() => runsOf(shell).remove(details.runId)}
          onRemoved={() => shell.route.go({ area: 'agent', id: null })}
          onClose={() => setRemoving(false)}
        />
      )}
      {details.plan && (
        <RewindDialog
          runId={details.runId}
          steps={details.plan.steps}
          opened={rewinding}
          onClose={() => setRewinding(false)}
        />
      )}
    </>
  );
}

const exportRun = ({ client }: Shell, { goal, runId }: RunDetails): Promise<void> =>
  saveAs(`${fileNameOf(goal, 'run')}.json`, () =>
    client.open(api.agent.export, { params: { runId } }),
  );

interface MoreModesProps {
  modes: readonly ContinueMode[];
  busy: boolean;
  onStart: (how: 'resume' | 'fork') => void;
  onRewind: () => void;
  onExport: () => void;
  onRemove: () => void;
}

/** All ways to continue, with a description of each. */
function MoreModes({ modes, busy, onStart, onRewind, onExport, onRemove }: MoreModesProps) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end" width={320}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" loading={busy} aria-label={t('agent.again.more')}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {modes.includes('resume') && <ModeItem name="resume" onClick={() => onStart('resume')} />}
        <ModeItem name="fork" onClick={() => onStart('fork')} />
        {modes.includes('rewind') && <ModeItem name="rewind" onClick={onRewind} />}
        <Menu.Divider />
        <Menu.Item leftSection={<IconDownload size={16} aria-hidden />} onClick={onExport}>
          {t('agent.export')}
        </Menu.Item>
        <Menu.Item
          className="danger-item"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={onRemove}
        >
          {t('agent.remove.action')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function ModeItem({ name, onClick }: { name: 'resume' | 'fork' | 'rewind'; onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <Menu.Item onClick={onClick}>
      {t(`agent.again.${name}`)}
      <span className="menu-text">{t(`agent.again.${name}Text`)}</span>
    </Menu.Item>
  );
}
