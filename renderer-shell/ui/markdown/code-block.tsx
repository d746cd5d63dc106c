import '../../core/messages/answer-translations.ts';
import type { ReactElement, ReactNode } from 'react';
import { isValidElement, useState } from 'react';
import { CodeActions } from './code-actions.tsx';
import type { CodeLayout } from './code-layout.ts';

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

/** Code with the name of its language, and what can be done with it. */
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

/** As an attribute: what a person marks and copies is the code alone. */
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
