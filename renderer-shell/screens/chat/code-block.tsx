import { ActionIcon, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactElement, ReactNode } from 'react';
import { isValidElement } from 'react';
import { useTranslation } from 'react-i18next';

/** Code with the name of its language and a button to copy it. */
export function CodeBlock({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const language = languageOf(children);
  return (
    <div className="code-block">
      <div className="code-head">
        <span>{language}</span>
        <CopyButton value={plainText(children)}>
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
