import { Text } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { sizeText } from '../../core/messages/amounts.ts';
import { FileRequestFrame } from './file-request-frame.tsx';
import type { SaveRequest } from '../../state/plugin-files/save-request.ts';
import {
  chooseSaveTarget,
  MAX_BUFFERED_BYTES,
  canStreamToDisk,
} from '../../state/plugin-files/save-target.ts';

/** Shows what will be saved, with the save button. */
export function SaveBody({ request }: { request: SaveRequest }) {
  const { t, language } = useTranslation();
  const save = async () => {
    try {
      const target = await chooseSaveTarget(request.fileName);
      if (target) await request.saveTo(target);
    } catch (error) {
      request.refuse(error);
    }
  };
  return (
    <FileRequestFrame
      request={request}
      action={t('fileDialog.save')}
      working={t('fileDialog.saving')}
      onAction={() => void save()}
    >
      <Text size="sm" className="untrusted">
        {t(`fileDialog.saveText.${request.preview.kind}`, { file: request.fileName })}
      </Text>
      {request.preview.skipped.length > 0 && (
        <Text size="sm" className="untrusted">
          {t('fileDialog.leftOut', { names: request.preview.skipped.join(', ') })}
        </Text>
      )}
      {!canStreamToDisk() && (
        <Text size="sm" c="dimmed">
          {t('fileDialog.saveLimit', { size: sizeText(MAX_BUFFERED_BYTES, language) })}
        </Text>
      )}
    </FileRequestFrame>
  );
}
