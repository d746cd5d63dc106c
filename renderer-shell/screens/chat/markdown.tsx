import { marked } from 'marked';
import type { ComponentProps } from 'react';
import { memo, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Components } from 'react-markdown';
import ReactMarkdown from 'react-markdown';
import rehypeHighlight from 'rehype-highlight';
import remarkGfm from 'remark-gfm';
import remend from 'remend';
import { CodeBlock } from './code-block.tsx';

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
  const blocks = useMemo(() => marked.lexer(text).map(({ raw }) => raw), [text]);
  return (
    <div className="markdown untrusted">
      {blocks.map((block, index) => (
        <Block key={index} text={growing && index === blocks.length - 1 ? remend(block) : block} />
      ))}
    </div>
  );
}

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
