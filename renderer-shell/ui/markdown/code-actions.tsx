import { ActionIcon, CopyButton } from '@mantine/core';
import {
  IconAppWindow,
  IconCheck,
  IconCopy,
  IconDownload,
  IconListNumbers,
  IconTextWrap,
} from '@tabler/icons-react';
import { useContext } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { canPreview, codeFileName } from '../../state/chat/code-files.ts';
import { saveText } from '../../state/plugin-files/save-text.ts';
import { useAction } from '../frame/use-action.ts';
import type { CodeLayout } from './code-layout.ts';
import { PreviewContext } from './preview-context.ts';

interface CodeActionsProps {
  language: string;
  text: string;
  layout: CodeLayout;
  onLayout: (layout: CodeLayout) => void;
}

const button = { size: 'sm', variant: 'subtle', color: 'gray' } as const;

export function CodeActions({ language, text, layout, onLayout }: CodeActionsProps) {
  const { t } = useTranslation();
  const open = useContext(PreviewContext);
  const saving = useAction();
  const toggle = (to: CodeLayout) => onLayout(layout === to ? 'plain' : to);
  return (
    <span className="code-actions">
      {open && canPreview(language) && (
        <ActionIcon
          {...button}
          aria-label={t('answer.preview')}
          title={t('answer.preview')}
          onClick={() => open({ language, text })}
        >
          <IconAppWindow size={14} aria-hidden />
        </ActionIcon>
      )}
      <ActionIcon
        {...button}
        aria-label={t('answer.wrap')}
        title={t('answer.wrap')}
        aria-pressed={layout === 'wrapped'}
        onClick={() => toggle('wrapped')}
      >
        <IconTextWrap size={14} aria-hidden />
      </ActionIcon>
      <ActionIcon
        {...button}
        aria-label={t('answer.numbers')}
        title={t('answer.numbers')}
        aria-pressed={layout === 'numbered'}
        onClick={() => toggle('numbered')}
      >
        <IconListNumbers size={14} aria-hidden />
      </ActionIcon>
      <ActionIcon
        {...button}
        aria-label={t('answer.save')}
        title={t('answer.save')}
        onClick={() => void saving.run(() => saveText(codeFileName(language), text))}
      >
        <IconDownload size={14} aria-hidden />
      </ActionIcon>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <ActionIcon
            {...button}
            aria-label={t(copied ? 'action.copied' : 'action.copy')}
            title={t(copied ? 'action.copied' : 'action.copy')}
            onClick={copy}
          >
            {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          </ActionIcon>
        )}
      </CopyButton>
    </span>
  );
}
