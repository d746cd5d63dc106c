import type { ComponentProps } from 'react';
import { memo, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Components } from 'react-markdown';
import ReactMarkdown from 'react-markdown';
import rehypeHighlight from 'rehype-highlight';
import remarkGfm from 'remark-gfm';
import remend from 'remend';
import type { MarkdownBlock } from '../../chat/markdown-blocks.ts';
import { blockReader, codePieces, fenced } from '../../chat/markdown-blocks.ts';
import { CodeBlock, CodeFrame } from './code-block.tsx';

/** Characters of code. */
const longCode = 20_000;
const pieceLines = 60;

interface MarkdownProps {
  text: string;
  /** Whether more of it will come; what is still open at its end is then closed for the eye. */
  growing?: boolean;
}

/**
 * What a model wrote. HTML in it stays text, addresses that are not http or https are no links, and
 * images are links, since loading them would tell somebody that they were looked at.
 */
export function Markdown({ text, growing = false }: MarkdownProps) {
  // Blocks that have not changed are not read again, however long the answer gets.
  const [read] = useState(blockReader);
  const blocks = useMemo(() => read(text), [read, text]);
  return (
    <div className="markdown untrusted">
      {blocks.map((block, index) => (
        <AnyBlock key={index} block={block} growing={growing && index === blocks.length - 1} />
      ))}
    </div>
  );
}

interface BlockProps {
  block: MarkdownBlock;
  growing: boolean;
}

const AnyBlock = memo(function AnyBlock({ block: { raw, code }, growing }: BlockProps) {
  if (code && (growing || raw.length > longCode)) return <LongCode {...code} />;
  return <Block text={growing ? remend(raw) : raw} />;
});

/** Code that grows, or is long: coloured piece by piece, so that a new line costs what its piece does. */
function LongCode({ language, text }: NonNullable<MarkdownBlock['code']>) {
  return (
    <CodeFrame language={language} text={text}>
      {codePieces(text, pieceLines).map((piece, index) => (
        <CodePiece key={index} text={fenced(piece, language)} />
      ))}
    </CodeFrame>
  );
}

const CodePiece = memo(function CodePiece({ text }: { text: string }) {
  return (
    <ReactMarkdown rehypePlugins={rehypePlugins} components={pieceComponents}>
      {text}
    </ReactMarkdown>
  );
});

const pieceComponents: Components = { pre: ({ children }) => <>{children}</> };

/** A document of somebody else: the same, but HTML in it is left out, since it would only be in the way. */
export function MarkdownDocument({ text }: { text: string }) {
  return (
    <div className="markdown untrusted">
      <ReactMarkdown
        skipHtml
        remarkPlugins={remarkPlugins}
        rehypePlugins={rehypePlugins}
        components={components}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}

const Block = memo(function Block({ text }: { text: string }) {
  return (
    <ReactMarkdown
      remarkPlugins={remarkPlugins}
      rehypePlugins={rehypePlugins}
      components={components}
    >
      {text}
    </ReactMarkdown>
  );
});

const remarkPlugins = [remarkGfm];
const rehypePlugins = [rehypeHighlight];

const components: Components = {
  a: ({ href, children }) => <OuterLink href={href}>{children}</OuterLink>,
  img: ({ src, alt }) => (
    <OuterLink href={typeof src === 'string' ? src : undefined}>
      <ImageName alt={alt} />
    </OuterLink>
  ),
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  table: ({ children }) => (
    <div className="table-scroll">
      <table>{children}</table>
    </div>
  ),
};

function OuterLink({ href, children }: Pick<ComponentProps<'a'>, 'href' | 'children'>) {
  if (href === undefined || !/^https?:\/\//i.test(href)) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" title={href}>
      {children}
    </a>
  );
}

function ImageName({ alt }: { alt: string | undefined }) {
  const { t } = useTranslation();
  return <>{alt ? t('chat.imageNamed', { name: alt }) : t('chat.image')}</>;
}
