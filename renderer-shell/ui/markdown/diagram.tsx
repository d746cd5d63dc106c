import { CopyButton } from '@mantine/core';
import { IconCheck, IconCode, IconCopy, IconDownload } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { type DrawnDiagram, drawDiagram } from '../../state/chat/draw-diagram.ts';
import { saveText } from '../../state/plugin-files/save-text.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { IconAction } from '../frame/icon-action.tsx';
import { CodeBlock } from './code-block.tsx';

/** Shows a Mermaid diagram as an image, or its source until it is drawn and if it is invalid. */
export function Diagram({ text }: { text: string }) {
  const { t } = useTranslation();
  const { client, settings } = useShell();
  const isDark = useStore(settings).theme === 'dark';
  const [drawn, setDrawn] = useState<(DrawnDiagram & { text: string }) | null>(null);
  const [asSource, setAsSource] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    drawDiagram(client, { text, isDark }).then(
      (diagram) => isCurrent && setDrawn({ ...diagram, text }),
      (error: unknown) => isCurrent && setDrawn({ error: String(error), text }),
    );
    return () => {
      isCurrent = false;
    };
  }, [client, text, isDark]);

  const current = drawn?.text === text ? drawn : null;
  const source = (
    <CodeBlock>
      <code className="language-mermaid">{text}</code>
    </CodeBlock>
  );
  if (current === null) return source;
  if ('error' in current)
    return (
      <>
        {source}
        <p className="quiet">{t('answer.diagramFailed')}</p>
      </>
    );
  return (
    <figure className="diagram">
      <div className="code-actions">
        <IconAction
          icon={IconCode}
          label={t(asSource ? 'answer.diagram' : 'answer.source')}
          onClick={() => setAsSource(!asSource)}
        />
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <IconAction
              icon={copied ? IconCheck : IconCopy}
              label={t(copied ? 'action.copied' : 'action.copy')}
              onClick={copy}
            />
          )}
        </CopyButton>
        <IconAction
          icon={IconDownload}
          label={t('answer.saveSvg')}
          onClick={() => void saveText('diagram.svg', current.svg, 'image/svg+xml')}
        />
      </div>
      {asSource ? (
        source
      ) : (
        <img
          src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(current.svg)}`}
          alt={t('answer.diagramOf', { source: text.slice(0, 300) })}
        />
      )}
    </figure>
  );
}
