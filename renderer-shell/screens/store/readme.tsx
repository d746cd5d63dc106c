import { useState } from 'react';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { MarkdownDocument } from '../../ui/markdown/markdown.tsx';

/** What is shown at first; a long text takes the page a while to lay out. */
const previewLength = 20_000;

/** What a plugin says of itself. Images of it are links, and HTML in it is left out. */
export function Readme({ text }: { text: string }) {
  const { t } = useTranslation();
  const [whole, setWhole] = useState(false);
  const isLong = !whole && text.length > previewLength;
  return (
    <div className="store-readme">
      <MarkdownDocument text={isLong ? text.slice(0, previewLength) : text} />
      {isLong && (
        <Button size="xs" variant="default" onClick={() => setWhole(true)}>
          {t('store.wholeReadme')}
        </Button>
      )}
    </div>
  );
}
