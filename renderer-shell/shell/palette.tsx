import { Kbd, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useTranslation } from '../core/messages/use-translation.ts';
import type { Command } from '../state/command.ts';
import { commandsOf } from './commands.ts';
import { useShell } from '../state/shell.ts';
import { useConversationCommands } from './use-conversation-commands.ts';
import { keysText } from '../ui/frame/keys-text.ts';
import type { DialogProps } from '../ui/frame/lazy-dialog.tsx';
import { useLoaded } from '../ui/frame/use-loaded.ts';

/** Searches all commands and plugins. */
export function Palette({ opened }: DialogProps) {
  const { t } = useTranslation();
  const { view } = useShell();
  return (
    <Modal
      opened={opened}
      onClose={() => view.patch({ dialog: null })}
      withCloseButton={false}
      centered={false}
      padding={0}
      attributes={{ content: { 'aria-label': t('palette.title') } }}
    >
      <PaletteBody />
    </Modal>
  );
}

/**
 * Adds the sections of the settings, which have texts of their own; without them the other commands
 * stay available.
 */
const loadMore = async () =>
  (await import('../screens/settings/section-commands.ts')).sectionCommands;

function PaletteBody() {
  const { t } = useTranslation();
  const shell = useShell();
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(0);
  const { state: more } = useLoaded(loadMore);
  const all = more.kind === 'ready' ? more.value(shell) : [];
  const conversations = useConversationCommands(query);
  const found = [...commandsOf(shell), ...all]
    .map((command) => ({ ...command, text: t(command.label, command.values ?? {}) }))
    .filter(({ text }) => matches(text, query))
    .concat(
      conversations.map((command) => ({ ...command, text: t(command.label, command.values) })),
    );

  const run = (command: Command | undefined) => {
    if (!command) return;
    shell.view.patch({ dialog: null });
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setChosen((chosen + step + found.length) % found.length);
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) run(found[chosen]);
  };

  return (
    <div onKeyDown={onKeyDown}>
      <TextInput
        variant="unstyled"
        className="palette-search"
        placeholder={t('palette.placeholder')}
        aria-label={t('palette.placeholder')}
        role="combobox"
        aria-expanded
        aria-controls="palette-options"
        aria-activedescendant={found[chosen] ? optionId(found[chosen].id) : undefined}
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value);
          setChosen(0);
        }}
        data-autofocus
      />
      <ul className="palette-list" role="listbox" id="palette-options">
        {found.map((command, index) => (
          <PaletteOption
            key={command.id}
            command={command}
            chosen={index === chosen}
            onChoose={() => run(command)}
          />
        ))}
      </ul>
      {found.length === 0 && <p className="palette-empty">{t('palette.empty')}</p>}
    </div>
  );
}

interface PaletteOptionProps {
  command: Command & { text: string };
  chosen: boolean;
  onChoose: () => void;
}

function PaletteOption({ command, chosen, onChoose }: PaletteOptionProps) {
  return (
    <li
      id={optionId(command.id)}
      role="option"
      aria-selected={chosen}
      className="palette-option"
      ref={(element) => {
        if (chosen) element?.scrollIntoView({ block: 'nearest' });
      }}
      onClick={onChoose}
    >
      <span className="untrusted">{command.text}</span>
      {command.keys && <Kbd size="xs">{keysText(command.keys)}</Kbd>}
    </li>
  );
}

const optionId = (id: string) => `palette-${id.replaceAll(/[^\w-]/g, '_')}`;

/** Returns true if each word of the query occurs in the text. */
const matches = (text: string, query: string): boolean =>
  query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));
