import type { Command } from '../../state/command.ts';
import type { Shell } from '../../state/shell.ts';
import { words } from '../../core/messages/words.ts';
import { sections } from './sections.tsx';
import './words.ts';

/** A command for each section of the settings. */
export const sectionCommands = ({ route }: Shell): Command[] =>
  sections.map(({ id }) => ({
    id: `settings:${id}`,
    label: 'command.section',
    values: { name: words.t(`sections.${id}`) },
    run: () => route.go({ area: 'settings', id }),
  }));
