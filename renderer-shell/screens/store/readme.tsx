import { useState } from 'react';
import { Button } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { MarkdownDocument } from '../../ui/markdown/markdown.tsx';

/** Initially visible length, in characters; a long text takes the page a while to lay out. */
const previewLength = 20_000;

/** Shows the readme of a plugin. Its images become links, and HTML in it is removed. */
export function Readme({ text }: { text: string }) {
  const { t } = useTranslation();
  const [isExpanded, setExpanded] = useState(false);
  const isLong = !isExpanded && text.length > previewLength;
  return (
    <div className="store-readme">
      <MarkdownDocument text={isLong ? text.slice(0, previewLength) : text} />
      {isLong && (
        <Button size="xs" variant="default" onClick={() => setExpanded(true)}>
          {t('store.wholeReadme')}
        </Button>
      )}
    </div>
  );
}
