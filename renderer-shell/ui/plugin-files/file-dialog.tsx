import '../../core/messages/file-words.ts';
import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DialogProps } from '../frame/lazy-dialog.tsx';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import type { AnyAsk } from '../../state/plugin-files/file-desk.ts';
import { askShown } from '../../state/plugin-files/file-desk.ts';
import { PickAsk } from '../../state/plugin-files/pick-ask.ts';
import { PickBody } from './pick-body.tsx';
import { SaveBody } from './save-body.tsx';

/** Asks in the name of a plugin's page, which cannot open the choosers of the browser by itself. */
export function FileDialog({ opened }: DialogProps) {
  const { files, plugins, route } = useShell();
  const ask = askShown(useStore(files.asks), useStore(route));
  const plugin = ask && plugins.find(ask.pluginId);
  return (
    <Modal
      opened={opened}
      onClose={() => ask?.cancel()}
      title={ask && <DialogTitle ask={ask} name={plugin?.name ?? ask.pluginId} />}
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      {ask instanceof PickAsk && <PickBody key={ask.key} ask={ask} />}
      {ask && !(ask instanceof PickAsk) && <SaveBody key={ask.key} ask={ask} />}
    </Modal>
  );
}

function DialogTitle({ ask, name }: { ask: AnyAsk; name: string }) {
  const { t } = useTranslation();
  const what = ask instanceof PickAsk ? ask.wish.kind : 'save';
  return <span className="untrusted">{t(`fileDialog.title.${what}`, { name })}</span>;
}
