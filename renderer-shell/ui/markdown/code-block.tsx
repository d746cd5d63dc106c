import { ActionIcon, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactElement, ReactNode } from 'react';
import { isValidElement } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';

/** Code as it stands in a document. */
export function CodeBlock({ children }: { children: ReactNode }) {
  return (
    <CodeFrame language={languageOf(children)} text={plainText(children)}>
      {children}
    </CodeFrame>
  );
}

interface CodeFrameProps {
  language: string;
  /** What is copied. */
  text: string;
  children: ReactNode;
}

/** Code with the name of its language and a button to copy it. */
export function CodeFrame({ language, text, children }: CodeFrameProps) {
  const { t } = useTranslation();
  return (
    <div className="code-block">
      <div className="code-head">
        <span>{language}</span>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <ActionIcon
              size="sm"
              variant="subtle"
              color="gray"
              aria-label={t(copied ? 'action.copied' : 'action.copy')}
              onClick={copy}
            >
              {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
            </ActionIcon>
          )}
        </CopyButton>
      </div>
      <pre tabIndex={0}>{children}</pre>
    </div>
  );
}

type WithChildren = ReactElement<{ children?: ReactNode; className?: string }>;

function languageOf(node: ReactNode): string {
  if (!isValidElement(node)) return '';
  const { className = '' } = (node as WithChildren).props;
  return /language-([\w+#-]+)/.exec(className)?.[1] ?? '';
}

function plainText(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(plainText).join('');
  return isValidElement(node) ? plainText((node as WithChildren).props.children) : '';
}
