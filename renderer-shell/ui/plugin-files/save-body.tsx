import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { sizeText } from '../../core/messages/amounts.ts';
import { AskFrame } from './ask-frame.tsx';
import type { SaveAsk } from '../../state/plugin-files/save-ask.ts';
import {
  chooseSavePlace,
  MAX_HELD_BYTES,
  savesAsItComes,
} from '../../state/plugin-files/save-place.ts';

/** What will be saved, and the button that saves it. */
export function SaveBody({ ask }: { ask: SaveAsk }) {
  const { t, i18n } = useTranslation();
  const save = async () => {
    try {
      const place = await chooseSavePlace(ask.fileName);
      if (place) await ask.saveTo(place);
    } catch (error) {
      ask.refuse(error);
    }
  };
  return (
    <AskFrame
      ask={ask}
      action={t('fileDialog.save')}
      working={t('fileDialog.saving')}
      onAction={() => void save()}
    >
      <Text size="sm" className="untrusted">
        {t(`fileDialog.saveText.${ask.preview.kind}`, { file: ask.fileName })}
      </Text>
      {ask.preview.leftOut.length > 0 && (
        <Text size="sm" className="untrusted">
          {t('fileDialog.leftOut', { names: ask.preview.leftOut.join(', ') })}
        </Text>
      )}
      {!savesAsItComes() && (
        <Text size="sm" c="dimmed">
          {t('fileDialog.saveLimit', { size: sizeText(MAX_HELD_BYTES, i18n.language) })}
        </Text>
      )}
    </AskFrame>
  );
}
