import type { Command } from '../../state/command.ts';
import type { Shell } from '../../state/shell.ts';
import { translator } from '../../core/messages/translator.ts';
import { sections } from './sections.tsx';
import './translations.ts';

/** Returns a command for each section of the settings. */
export const sectionCommands = ({ route }: Shell): Command[] =>
  sections.map(({ id }) => ({
    id: `settings:${id}`,
    label: 'command.section',
    values: { name: translator.t(`sections.${id}`) },
    run: () => route.go({ area: 'settings', id }),
  }));
