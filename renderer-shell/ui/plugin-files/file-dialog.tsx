import '../../core/messages/file-translations.ts';
import { Modal } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { DialogProps } from '../frame/lazy-dialog.tsx';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import type { AnyFileRequest } from '../../state/plugin-files/file-request-service.ts';
import { visibleRequest } from '../../state/plugin-files/file-request-service.ts';
import { PickRequest } from '../../state/plugin-files/pick-request.ts';
import { PickBody } from './pick-body.tsx';
import { SaveBody } from './save-body.tsx';

/** Asks on behalf of a plugin's page, which cannot open the choosers of the browser itself. */
export function FileDialog({ opened }: DialogProps) {
  const { files, plugins, route } = useShell();
  const request = visibleRequest(useStore(files.requests), useStore(route));
  const plugin = request && plugins.find(request.pluginId);
  return (
    <Modal
      opened={opened}
      onClose={() => request?.cancel()}
      title={request && <DialogTitle request={request} name={plugin?.name ?? request.pluginId} />}
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      {request instanceof PickRequest && <PickBody key={request.key} request={request} />}
      {request && !(request instanceof PickRequest) && (
        <SaveBody key={request.key} request={request} />
      )}
    </Modal>
  );
}

function DialogTitle({ request, name }: { request: AnyFileRequest; name: string }) {
  const { t } = useTranslation();
  const requestKind = request instanceof PickRequest ? request.options.kind : 'save';
  return <span className="untrusted">{t(`fileDialog.title.${requestKind}`, { name })}</span>;
}
