import { TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from '../core/messages/use-translation.ts';
import { useShell } from '../state/shell.ts';
import { IconAction } from '../ui/frame/icon-action.tsx';
import type { DialogProps } from '../ui/frame/lazy-dialog.tsx';
import { type FindResult, PageFinder } from '../ui/frame/page-finder.ts';

/** Finds text in the visible page. */
export function FindBar({ opened }: DialogProps) {
  return opened && <OpenFindBar />;
}

function OpenFindBar() {
  const { t } = useTranslation();
  const { view } = useShell();
  const [finder] = useState(() => new PageFinder());
  const [text, setText] = useState('');
  const [found, setFound] = useState<FindResult | null>(null);
  // Read before the field takes the focus.
  const [cameFrom] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      finder.end();
      if (cameFrom instanceof HTMLElement) cameFrom.focus();
    },
    [cameFrom, finder],
  );

  const close = () => view.patch({ finding: false });
  const find = (query: string, step: -1 | 0 | 1) =>
    setFound(query === '' ? null : finder.find(query, step));
  const onKey = (event: React.KeyboardEvent) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter') find(text, event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <search className="find-bar" aria-label={t('shortcuts.find')}>
      <TextInput
        size="xs"
        aria-label={t('shortcuts.findText')}
        value={text}
        autoFocus
        onKeyDown={onKey}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          if (value === '') finder.end();
          find(value, 0);
        }}
      />
      <span role="status" className="find-count">
        {found &&
          (found.count === 0 ? t('shortcuts.findNone') : t('shortcuts.findCount', { ...found }))}
      </span>
      <IconAction
        icon={IconChevronUp}
        label={t('shortcuts.findPrevious')}
        onClick={() => find(text, -1)}
      />
      <IconAction
        icon={IconChevronDown}
        label={t('shortcuts.findNext')}
        onClick={() => find(text, 1)}
      />
      <IconAction icon={IconX} label={t('action.close')} onClick={close} />
    </search>
  );
}
