import { useTranslation } from '../../core/messages/use-translation.ts';
import type { McpServerView } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { RemoveDialog } from '../../ui/frame/remove-dialog.tsx';
import { useShell } from '../../state/shell.ts';

/** Says what is removed together with a server, and asks for confirmation. */
export function RemoveServer({ server, onClose }: { server: McpServerView; onClose: () => void }) {
  const { t } = useTranslation();
  const { client, mcp, route } = useShell();
  const { id, name, tools } = server;
  return (
    <RemoveDialog
      title={t('mcp.removeTitle', { name })}
      text={t('mcp.removeText', { count: tools.length })}
      confirm={t('mcp.removeConfirm')}
      remove={() => client.call(api.mcp.remove, { params: { id } })}
      onRemoved={() => {
        route.go({ area: 'mcp', id: null });
        void mcp.refresh();
      }}
      onClose={onClose}
    />
  );
}
