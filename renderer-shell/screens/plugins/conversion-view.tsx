import type { Conversion } from '../../../service/contract/index.ts';
import { hostMessage } from '../../core/messages/host-message.ts';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { Alert } from '../../ui/frame/alert.tsx';

/** What of a plugin that was made for another program is in the package that it becomes. */
export function ConversionView({ conversion }: { conversion: Conversion }) {
  const { t } = useTranslation();
  const { from, carried, notCarried } = conversion;
  return (
    <section className="below">
      <Alert tone="accent">{t(`install.conversion.from.${from}`)}</Alert>
      <Parts title={t('install.conversion.carried')} parts={carried} />
      <Parts title={t('install.conversion.notCarried')} parts={notCarried} />
    </section>
  );
}

function Parts({ title, parts }: { title: string; parts: Conversion['carried'] }) {
  if (parts.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul className="running-parts" aria-label={title}>
        {parts.map(({ message, text }, index) => (
          <li key={index} className="untrusted">
            {hostMessage(text, message)}
          </li>
        ))}
      </ul>
    </>
  );
}
