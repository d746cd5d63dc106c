import { RowButton } from '../../ui/frame/row-button.tsx';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { ListPane } from '../../ui/frame/list-pane.tsx';
import { useShell } from '../../state/shell.ts';
import type { Section } from './sections.tsx';
import { sections } from './sections.tsx';

/** Lists the sections, with a search in their content. */
export function SettingsSidebar({ chosen, hidden }: { chosen: Section['id']; hidden: boolean }) {
  const { t } = useTranslation();
  const { route, view } = useShell();
  const [query, setQuery] = useState('');
  const open = (id: Section['id']) => {
    route.go({ area: 'settings', id });
    view.patch({ listOpen: false });
  };
  const needle = query.trim().toLowerCase();
  const found = sections.filter(({ id }) =>
    `${t(`sections.${id}`)} ${t(`sections.${id}Text`)}`.toLowerCase().includes(needle),
  );
  return (
    <ListPane
      title={t('settings.title')}
      hidden={hidden}
      search={{ label: t('sections.search'), value: query, onChange: setQuery }}
      action={null}
    >
      {found.length === 0 && <p className="list-note">{t('sections.none', { query })}</p>}
      <ul className="rows">
        {found.map(({ id, icon: Icon }) => (
          <li key={id}>
            <RowButton chosen={id === chosen} onClick={() => open(id)}>
              <Icon size={18} stroke={1.6} aria-hidden />
              <span className="row-text">
                <span className="row-name" title={t(`sections.${id}`)}>
                  {t(`sections.${id}`)}
                </span>
                <span className="row-more settings-gist" title={t(`sections.${id}Text`)}>
                  {t(`sections.${id}Text`)}
                </span>
              </span>
            </RowButton>
          </li>
        ))}
      </ul>
    </ListPane>
  );
}
