import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDots, IconPlayerTrackNext, IconRepeat } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContinueMode } from '../../state/agent/continue-modes.ts';
import { continueModes } from '../../state/agent/continue-modes.ts';
import { runsOf } from '../../state/agent/runs.ts';
import type { RunDetails } from '../../../service/contract/index.ts';
import { FloatingError } from './floating-error.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useShell } from '../../state/shell.ts';
import { RewindDialog } from './rewind-dialog.tsx';

/** The ways in which a run that is over can go on, each a run of its own. */
export function ContinueMenu({ details }: { details: RunDetails }) {
  const { t } = useTranslation();
  const shell = useShell();
  const action = useAction();
  const [rewinding, setRewinding] = useState(false);
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
      {modes.includes('rewind') && (
        <MoreModes
          ways={modes}
          busy={action.busy}
          onStart={start}
          onRewind={() => setRewinding(true)}
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

interface MoreWaysProps {
  ways: readonly ContinueMode[];
  busy: boolean;
  onStart: (how: 'resume' | 'fork') => void;
  onRewind: () => void;
}

/** All ways, with what each of them does. */
function MoreModes({ ways, busy, onStart, onRewind }: MoreWaysProps) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end" width={320}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" loading={busy} aria-label={t('agent.again.more')}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {ways.includes('resume') && <Way name="resume" onClick={() => onStart('resume')} />}
        <Way name="fork" onClick={() => onStart('fork')} />
        <Way name="rewind" onClick={onRewind} />
      </Menu.Dropdown>
    </Menu>
  );
}

function Way({ name, onClick }: { name: 'resume' | 'fork' | 'rewind'; onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <Menu.Item onClick={onClick}>
      {t(`agent.again.${name}`)}
      <span className="menu-text">{t(`agent.again.${name}Text`)}</span>
    </Menu.Item>
  );
}
