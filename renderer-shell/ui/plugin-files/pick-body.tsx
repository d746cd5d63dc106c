import { Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { chooseFiles } from '../../state/choose-files.ts';
import { sizeText } from '../../core/messages/amounts.ts';
import { FileRequestFrame } from './file-request-frame.tsx';
import type { NativePicker } from '../../state/plugin-files/native-picker.ts';
import { nativePicker } from '../../state/plugin-files/native-picker.ts';
import type { PickRequest } from '../../state/plugin-files/pick-request.ts';

/** Explains what the plugin will receive, with a button that opens the chooser. */
export function PickBody({ request }: { request: PickRequest }) {
  const { t, language } = useTranslation();
  const [chosen, setChosen] = useState<readonly File[]>([]);
  const { kind, access } = request.options;
  const native = nativePicker();

  const chooseNative = async (picker: NativePicker) => {
    try {
      const path = await picker(request.options);
      if (path !== null) await request.takePath(path);
    } catch (error) {
      request.refuse(error);
    }
  };
  const choose = async () => {
    if (native) return chooseNative(native);
    const files = await chooseFiles({ directory: kind === 'directory' });
    if (!files) return;
    setChosen(files);
    await request.take(files);
  };

  return (
    <FileRequestFrame
      request={request}
      action={t(`fileDialog.choose.${kind}`)}
      working={t('fileDialog.copying')}
      onAction={() => void choose()}
    >
      <Text size="sm">{t(`fileDialog.${native ? 'native' : 'copy'}.${kind}.${access}`)}</Text>
      {chosen.length > 0 && (
        <Text size="sm" c="dimmed" className="untrusted">
          {nameOf(chosen)}
          {' · '}
          {chosen.length > 1 && `${t('fileDialog.count', { count: chosen.length })} · `}
          {sizeText(
            chosen.reduce((sum, { size }) => sum + size, 0),
            language,
          )}
        </Text>
      )}
    </FileRequestFrame>
  );
}

/** Returns the name of the file, or of the folder that contains all files. */
function nameOf([first]: readonly File[]): string {
  if (!first) return '';
  return first.webkitRelativePath.split('/')[0] || first.name;
}
