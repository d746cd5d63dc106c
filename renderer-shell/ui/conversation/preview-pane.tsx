import './preview-pane.css';
import {
  IconChevronLeft,
  IconChevronRight,
  IconCode,
  IconEye,
  IconMaximize,
  IconMinimize,
  IconX,
} from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import '../../core/messages/answer-translations.ts';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { api } from '../../../service/contract/index.ts';
import type { Conversation } from '../../state/chat/conversation.ts';
import { fenced } from '../../state/chat/markdown-blocks.ts';
import { pageOf, type PreviewedCode, previewsOf } from '../../state/chat/previews.ts';
import { useShell } from '../../state/shell.ts';
import { usePart } from '../../core/store.ts';
import { ErrorAlert } from '../frame/error-alert.tsx';
import { IconAction } from '../frame/icon-action.tsx';
import { useLoaded } from '../frame/use-loaded.ts';
import { MarkdownDocument } from '../markdown/markdown.tsx';

interface PreviewPaneProps {
  conversation: Conversation;
  code: PreviewedCode;
  onShow: (code: PreviewedCode) => void;
  onClose: () => void;
}

/**
 * Shows HTML or SVG of an answer beside the conversation, with its other versions and its source.
 */
export function PreviewPane({ conversation, code, onShow, onClose }: PreviewPaneProps) {
  const { t } = useTranslation();
  const messages = usePart(conversation.state, (state) => state.messages);
  const versions = useMemo(() => previewsOf(messages), [messages]);
  const [asSource, setAsSource] = useState(false);
  const [isFull, setIsFull] = useState(false);
  const index = versions.findIndex((one) => one.text.trimEnd() === code.text.trimEnd());
  const step = (by: -1 | 1) => {
    const next = versions[index + by];
    if (next) onShow(next);
  };
  const number = index + 1;
  const count = versions.length;
  return (
    <section className="preview-pane" data-full={isFull} aria-label={t('answer.preview')}>
      <header>
        <span className="preview-title">{code.language.toUpperCase()}</span>
        {index >= 0 && count > 1 && (
          <span role="group" aria-label={t('answer.versionOf', { number, count })}>
            <IconAction
              icon={IconChevronLeft}
              label={t('answer.earlier')}
              disabled={index === 0}
              onClick={() => step(-1)}
            />
            <span aria-hidden>
              {number} / {count}
            </span>
            <IconAction
              icon={IconChevronRight}
              label={t('answer.later')}
              disabled={number === count}
              onClick={() => step(1)}
            />
          </span>
        )}
        <span className="toolbar-gap" />
        <IconAction
          icon={asSource ? IconEye : IconCode}
          label={t(asSource ? 'answer.shown' : 'answer.source')}
          onClick={() => setAsSource(!asSource)}
        />
        <IconAction
          icon={isFull ? IconMinimize : IconMaximize}
          label={t(isFull ? 'answer.notFull' : 'answer.full')}
          onClick={() => setIsFull(!isFull)}
        />
        <IconAction icon={IconX} label={t('action.close')} onClick={onClose} />
      </header>
      {asSource ? (
        <div className="preview-source" tabIndex={0} role="group" aria-label={t('answer.source')}>
          <MarkdownDocument text={fenced(code.text, code.language)} />
        </div>
      ) : (
        // Each page gets a new frame.
        <PreviewFrame key={code.text} code={code} />
      )}
    </section>
  );
}

/** Not yet in the types of React. The frame gets no cookies or stored credentials. */
const credentialless = { credentialless: true };

function PreviewFrame({ code }: { code: PreviewedCode }) {
  const { t } = useTranslation();
  const { client } = useShell();
  const { state, refresh } = useLoaded(
    useCallback(() => client.call(api.answerFrames.show), [client]),
  );
  if (state.kind === 'failed') return <ErrorAlert error={state.error} onRetry={refresh} />;
  if (state.kind !== 'ready') return null;
  return (
    <iframe
      sandbox="allow-scripts"
      allow=""
      referrerPolicy="no-referrer"
      {...credentialless}
      title={t('answer.preview')}
      src={state.value.page}
      onLoad={({ currentTarget }) => currentTarget.contentWindow?.postMessage(pageOf(code), '*')}
    />
  );
}
