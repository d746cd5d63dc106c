import { Button, Menu } from '@mantine/core';
import { IconPencil, IconPower, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { McpServerView } from '../../../service/contract/index.ts';
import { ShowListButton } from '../../ui/frame/list-pane.tsx';
import { Tag } from '../../ui/frame/alert.tsx';
import { useTitle } from '../../ui/frame/window-title.ts';
import { LogButton } from '../../ui/plugins/log-button.tsx';
import { RemoveServer } from './remove-server.tsx';
import { StateIcon, toneOfState } from './server-state.tsx';
import { SignInDialog } from './sign-in-dialog.tsx';
import type { ServerActions } from './use-server-actions.ts';
import { MoreMenu } from '../../ui/frame/more-menu.tsx';

interface ServerToolbarProps {
  server: McpServerView;
  actions: ServerActions;
  narrow: boolean;
  onEdit: () => void;
}

export function ServerToolbar({ server, actions, narrow, onEdit }: ServerToolbarProps) {
  const { t } = useTranslation();
  const { name, state } = server;
  useTitle(name);
  return (
    <header className="toolbar">
      {narrow && <ShowListButton label={t('mcp.showList')} />}
      <StateIcon state={state} size={20} />
      <h1 className="untrusted">{name}</h1>
      <Tag tone={toneOfState(state)}>{t(`mcpState.${state}`)}</Tag>
      <span className="toolbar-gap" />
      <MainAction server={server} actions={actions} />
      <LogButton narrow={narrow} />
      {!server.builtIn && <ServerMenu server={server} actions={actions} onEdit={onEdit} />}
      {actions.signInPage !== null && (
        <SignInDialog server={server} page={actions.signInPage} onClose={actions.endSignIn} />
      )}
    </header>
  );
}

/** Shows the most likely action for the status of the server. */
function MainAction({ server, actions }: { server: McpServerView; actions: ServerActions }) {
  const { t } = useTranslation();
  const { busy, signIn, setEnabled, test } = actions;
  const { state, builtIn } = server;
  if (state === 'DISABLED' && builtIn) return null;
  const [label, run, isMain] =
    state === 'NEEDS_AUTH'
      ? (['mcp.signIn', signIn, true] as const)
      : state === 'DISABLED'
        ? (['mcp.enable', () => setEnabled(true), true] as const)
        : state === 'FAILED' || state === 'DEGRADED'
          ? (['mcp.tryAgain', test, true] as const)
          : (['mcp.test', test, false] as const);
  return (
    <Button
      size="xs"
      variant={isMain ? 'filled' : 'default'}
      loading={busy}
      onClick={() => void run()}
    >
      {t(label)}
    </Button>
  );
}

const icon = { size: 16, 'aria-hidden': true } as const;

type ServerMenuProps = Pick<ServerToolbarProps, 'server' | 'actions' | 'onEdit'>;

function ServerMenu({ server, actions, onEdit }: ServerMenuProps) {
  const { t } = useTranslation();
  const [isRemoving, setRemoving] = useState(false);
  return (
    <>
      <MoreMenu label={t('mcp.more')}>
        <Menu.Item leftSection={<IconPencil {...icon} />} onClick={onEdit}>
          {t('mcp.edit')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconPower {...icon} />}
          onClick={() => void actions.setEnabled(!server.enabled)}
        >
          {t(server.enabled ? 'mcp.disable' : 'mcp.enable')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconTrash {...icon} />}
          className="danger-item"
          onClick={() => setRemoving(true)}
        >
          {t('mcp.remove')}
        </Menu.Item>
      </MoreMenu>
      {isRemoving && <RemoveServer server={server} onClose={() => setRemoving(false)} />}
    </>
  );
}
