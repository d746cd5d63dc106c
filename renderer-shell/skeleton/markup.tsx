import { renderToStaticMarkup } from 'react-dom/server';
import type { Catalog } from '../core/messages/texts.ts';
import { translator } from '../core/messages/translator.ts';
import { AreaButtons } from '../shell/area-buttons.tsx';
import { areas } from '../shell/areas.ts';
import { ListHead } from '../ui/frame/list-head.tsx';
import { fonts, schemes } from '../core/theme/theme.ts';
import type { Area } from '../state/address.ts';
import type { Language } from '../../service/messages/languages.ts';
import { languages } from '../../service/messages/languages.ts';

/**
 * The part of the window that can be shown before anything is loaded. The build replaces this
 * module by its value.
 */
export interface Skeletons {
  /** The tokens of each theme as a style sheet. */
  styles: Record<keyof typeof schemes, string>;
  frames: Record<Language, Skeleton>;
}

/** The skeleton in one language. */
export interface Skeleton {
  /** The markup with labels; `collapse` is the label of the button if the bar has none. */
  html: string;
  /** The list heading of each area. */
  titles: Record<Area, string>;
  /** The message if the rest of the page cannot be loaded. */
  failed: string;
}

const catalogs = import.meta.glob<Catalog>('../../service/messages/*.json', {
  eager: true,
  import: 'default',
});

const nothing = () => undefined;

function frameOf(language: Language): Skeleton {
  const catalog = catalogs[`../../service/messages/${language}.json`];
  translator.add(language, catalog?.shell ?? {});
  translator.language = language;
  const titleOf = (area: Area): [Area, string] => [area, translator.t(`${area}.title`)];
  const titles = [...areas.map(({ area }) => titleOf(area)), titleOf('settings')];
  const html = renderToStaticMarkup(<ShellSkeleton />);
  return {
    html,
    titles: Object.fromEntries(titles) as Record<Area, string>,
    failed: translator.t('error.unexpected'),
  };
}

/** The bar and the head of the list, rendered by the same components as later. */
function ShellSkeleton() {
  return (
    <div className="shell first-frame" aria-hidden="true">
      <div className="shell-row">
        <AreaButtons
          now={{ area: 'plugins', id: null }}
          collapsed={false}
          updates={0}
          elsewhere={false}
          onGo={nothing}
          onCollapse={nothing}
        />
        <div className="screen">
          <aside className="list">
            <ListHead title="" />
          </aside>
          <main className="content" />
        </div>
      </div>
      <footer className="status" />
    </div>
  );
}

function styleOf(scheme: keyof typeof schemes): string {
  const tokens = Object.entries(schemes[scheme]).map(([name, value]) => `${name}:${value}`);
  return `:root{color-scheme:${scheme};${tokens.join(';')}}.first-frame{font-family:${fonts}}`;
}

export const { styles, frames }: Skeletons = {
  styles: { light: styleOf('light'), dark: styleOf('dark') },
  frames: Object.fromEntries(languages.map((each) => [each, frameOf(each)])) as Record<
    Language,
    Skeleton
  >,
};
