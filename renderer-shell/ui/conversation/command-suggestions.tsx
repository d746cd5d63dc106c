import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Suggestions } from './use-suggestions.ts';

/** Lists the completions while the name of a command is typed. */
export function CommandSuggestions({ suggestions }: { suggestions: Suggestions }) {
  const { t } = useTranslation();
  const { commands, chosen } = suggestions;
  if (commands.length === 0) return null;
  return (
    <ul className="suggestions" role="listbox" aria-label={t('chat.commands')}>
      {commands.map((command, index) => (
        <li
          key={command.name}
          role="option"
          aria-selected={index === chosen}
          className="palette-option"
          onMouseDown={(event) => {
            event.preventDefault();
            suggestions.take(command);
          }}
        >
          <span className="untrusted">/{command.name}</span>
          <span className="quiet untrusted">{command.description}</span>
        </li>
      ))}
    </ul>
  );
}
