import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDots, IconPlayerTrackNext, IconRepeat } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { WayOn } from '../../state/agent/ways-on.ts';
import { waysOn } from '../../state/agent/ways-on.ts';
import { runsOf } from '../../state/agent/runs.ts';
import type { RunDetails } from '../../../service/contract/index.ts';
import { FloatingError } from './floating-error.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useShell } from '../../state/shell.ts';
import { RewindDialog } from './rewind-dialog.tsx';

/** The ways in which a run that is over can go on, each a run of its own. */
export function AgainMenu({ details }: { details: RunDetails }) {
  const { t } = useTranslation();
  const shell = useShell();
  const action = useAction();
  const [rewinding, setRewinding] = useState(false);
  const ways = waysOn(details);
  const begin = (how: 'resume' | 'fork') =>
    void action.run(async () => {
      const id = await runsOf(shell).again(details.runId, { how });
      shell.route.go({ area: 'agent', id });
    });
  return (
    <>
      <FloatingError action={action} />
      {ways.includes('resume') && (
        <Button
          size="xs"
          loading={action.busy}
          leftSection={<IconPlayerTrackNext size={14} aria-hidden />}
          title={t('agent.again.resumeText')}
          onClick={() => begin('resume')}
        >
          {t('agent.again.resume')}
        </Button>
      )}
      {ways.includes('fork') && (
        <Button
          size="xs"
          variant={ways.includes('resume') ? 'default' : 'filled'}
          loading={action.busy}
          leftSection={<IconRepeat size={14} aria-hidden />}
          title={t('agent.again.forkText')}
          onClick={() => begin('fork')}
        >
          {t('agent.again.fork')}
        </Button>
      )}
      {ways.includes('rewind') && (
        <MoreWays
          ways={ways}
          busy={action.busy}
          onBegin={begin}
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
  ways: readonly WayOn[];
  busy: boolean;
  onBegin: (how: 'resume' | 'fork') => void;
  onRewind: () => void;
}

/** All ways, with what each of them does. */
function MoreWays({ ways, busy, onBegin, onRewind }: MoreWaysProps) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end" width={320}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" loading={busy} aria-label={t('agent.again.more')}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {ways.includes('resume') && <Way name="resume" onClick={() => onBegin('resume')} />}
        <Way name="fork" onClick={() => onBegin('fork')} />
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
