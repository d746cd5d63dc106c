import '../../core/messages/answer-translations.ts';
import type { ReactElement, ReactNode } from 'react';
import { isValidElement, useState } from 'react';
import { CodeActions } from './code-actions.tsx';
import type { CodeLayout } from './code-layout.ts';

/** Shows the code of a document. */
export function CodeBlock({ children }: { children: ReactNode }) {
  return (
    <CodeFrame language={languageOf(children)} text={plainText(children)}>
      {children}
    </CodeFrame>
  );
}

interface CodeFrameProps {
  language: string;
  /** The text to copy. */
  text: string;
  children: ReactNode;
}

/** Shows code with the name of its language and its actions. */
export function CodeFrame({ language, text, children }: CodeFrameProps) {
  const [layout, setLayout] = useState<CodeLayout>('plain');
  return (
    <div className="code-block">
      <div className="code-head">
        <span>{language}</span>
        <CodeActions language={language} text={text} layout={layout} onLayout={setLayout} />
      </div>
      <pre
        tabIndex={0}
        data-layout={layout}
        data-numbers={layout === 'numbered' ? lineNumbers(text) : undefined}
      >
        {children}
      </pre>
    </div>
  );
}

/** Rendered from an attribute, so that selecting and copying yields only the code. */
function lineNumbers(text: string): string {
  const count = text.replace(/\n$/, '').split('\n').length;
  return Array.from({ length: count }, (_, index) => index + 1).join('\n');
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
