import type { ComponentProps } from 'react';
import { memo, useMemo, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Components } from 'react-markdown';
import ReactMarkdown from 'react-markdown';
import rehypeHighlight from 'rehype-highlight';
import remarkGfm from 'remark-gfm';
import remend from 'remend';
import type { MarkdownBlock } from '../../state/chat/markdown-blocks.ts';
import { blockReader, codePieces, fenced, sectionsOf } from '../../state/chat/markdown-blocks.ts';
import { webAddress } from '../../core/web-address.ts';
import { formulaOf, markFormulas } from '../../state/chat/formulas.ts';
import { AnswerTable } from './answer-table.tsx';
import { CodeBlock, CodeFrame } from './code-block.tsx';
import { Diagram } from './diagram.tsx';
import { Formula } from './formula.tsx';
import { useOffscreenPlaceholder } from './use-offscreen-placeholder.ts';

/** Limit in characters of code. */
const longCode = 20_000;
const pieceLines = 60;

const sectionBlocks = 16;
/** Up to this number all sections stay mounted. */
const fewSections = 3;
/** Estimated height of a block with its margin, in pixels. */
const estimatedHeight = 25;

interface MarkdownProps {
  text: string;
  /** True if more text will follow; incomplete syntax at the end is then displayed as closed. */
  growing?: boolean;
}

/**
 * Shows the text of a model. HTML in it stays text; addresses that are not http or https, or that
 * have a user name, are not linked; and images are links, since loading them would reveal that they
 * were viewed.
 */
export function Markdown({ text, growing = false }: MarkdownProps) {
  // Unchanged blocks are not parsed again, however long the answer gets.
  const [read] = useState(blockReader);
  const sections = useMemo(() => sectionsOf(read(text), sectionBlocks), [read, text]);
  const last = sections.length - 1;
  return (
    <div className="markdown untrusted">
      {sections.map((blocks, index) => (
        <Section
          key={index}
          blocks={blocks}
          growing={growing && index === last}
          // The end is visible first.
          away={{ may: last >= fewSections && index < last, begins: index < last - 1 }}
        />
      ))}
    </div>
  );
}

interface SectionProps {
  blocks: readonly MarkdownBlock[];
  growing: boolean;
  away: { may: boolean; begins: boolean };
}

/**
 * Blocks of a long answer. Far out of view only their text stays, so that the browser's search
 * finds it.
 */
const Section = memo(
  function Section({ blocks, growing, away }: SectionProps) {
    const { ref, height } = useOffscreenPlaceholder(away, blocks.length * estimatedHeight);
    if (height !== null)
      return (
        <div ref={ref} className="markdown-section" data-away style={{ height }}>
          {blocks.map(({ raw }) => raw).join('')}
        </div>
      );
    return (
      <div ref={ref} className="markdown-section">
        {blocks.map((block, index) => (
          <AnyBlock key={index} block={block} growing={growing && index === blocks.length - 1} />
        ))}
      </div>
    );
  },
  (before, now) =>
    before.growing === now.growing &&
    before.away.may === now.away.may &&
    before.blocks.length === now.blocks.length &&
    before.blocks.every((block, index) => block === now.blocks[index]),
);

interface BlockProps {
  block: MarkdownBlock;
  growing: boolean;
}

const AnyBlock = memo(function AnyBlock({ block: { raw, code }, growing }: BlockProps) {
  if (code?.language === 'mermaid' && !growing) return <Diagram text={code.text} />;
  if (code && (growing || raw.length > longCode)) return <LongCode {...code} />;
  const text = growing ? remend(raw) : raw;
  return <Block text={code ? text : markFormulas(text)} />;
});

/**
 * Shows code that grows or is long: it is highlighted piece by piece, so that a new line costs only
 * its piece.
 */
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

/**
 * Shows a third-party document: like `Markdown`, but HTML in it is removed, since it would only be
 * noise.
 */
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
      components={answerComponents}
    >
      {text}
    </ReactMarkdown>
  );
});

// Both are created once: the first one assembles its syntax, the other one loads all its grammars.
const gfm = {};
remarkGfm.call({ data: () => gfm } as never);
function syntax(this: { data(): object }): void {
  Object.assign(this.data(), gfm);
}
const remarkPlugins = [syntax];
const highlight = rehypeHighlight();
const rehypePlugins = [() => highlight];

const components: Components = {
  a: ({ href, children }) => <OuterLink href={href}>{children}</OuterLink>,
  img: ({ src, alt }) => (
    <OuterLink href={typeof src === 'string' ? src : undefined}>
      <ImageName alt={alt} />
    </OuterLink>
  ),
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  table: ({ children }) => <AnswerTable>{children}</AnswerTable>,
};

const answerComponents: Components = { ...components, code: AnswerCode };

function AnswerCode({
  className,
  children,
}: Pick<ComponentProps<'code'>, 'className' | 'children'>) {
  const formula = typeof children === 'string' ? formulaOf(children) : null;
  return formula ? <Formula {...formula} /> : <code className={className}>{children}</code>;
}

function OuterLink({ href, children }: Pick<ComponentProps<'a'>, 'href' | 'children'>) {
  if (href === undefined || webAddress(href) === null) return <span>{children}</span>;
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
