import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Memory } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { RemoveDialog } from '../../ui/frame/remove-dialog.tsx';
import { useShell } from '../../state/shell.ts';

interface ForgetDialogProps {
  /** Null for all memories. */
  memory: Memory | null;
  onForgotten: () => Promise<void>;
  onClose: () => void;
}

/** Asks for confirmation before memories are deleted permanently. */
export function ForgetDialog({ memory, onForgotten, onClose }: ForgetDialogProps) {
  const { t } = useTranslation();
  const { client } = useShell();
  const forget = async () => {
    if (memory === null) await client.call(api.memories.forgetAll);
    else await client.call(api.memories.forget, { params: { id: memory.id } });
    await onForgotten();
  };
  const texts =
    memory === null
      ? {
          title: t('memory.forgetAllTitle'),
          text: t('memory.forgetAllMeaning'),
          confirm: t('memory.forgetAllDo'),
        }
      : {
          title: t('memory.forgetTitle'),
          quoted: memory.text,
          text: t('memory.forgetMeaning'),
          confirm: t('memory.forget'),
        };
  return <RemoveDialog {...texts} remove={forget} onClose={onClose} />;
}
