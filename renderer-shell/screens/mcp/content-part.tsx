import { useTranslation } from 'react-i18next';
import { ToolText } from '../../ui/cards/tool-card.tsx';
import { sizeText } from '../../core/messages/amounts.ts';
import { isObject, type JsonObject, prettyJson, textOf } from '../../core/json.ts';

/** Pictures that a browser shows and that can do nothing. */
const displayableImageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** One piece of what a server answered: text, a picture, a resource, or what it is as JSON. */
export function ContentPart({ part }: { part: JsonObject }) {
  const { t, i18n } = useTranslation();
  const { type, text, data, mimeType, resource } = part;
  const mime = textOf(mimeType);
  if (type === 'text') return <ToolText label={t('mcpTry.text')} text={prettyJson(textOf(text))} />;
  if (type === 'image' && displayableImageTypes.includes(mime) && isBase64(data))
    return (
      <img className="mcp-image" src={`data:${mime};base64,${data}`} alt={t('mcpTry.image')} />
    );
  if (type === 'resource' && isObject(resource)) return <ResourceText resource={resource} />;
  if (typeof data === 'string') {
    const size = sizeText(Math.floor((data.length * 3) / 4), i18n.language);
    return <p className="plain untrusted">{t('mcpTry.data', { mime, size })}</p>;
  }
  return <ToolText label={t('mcpTry.json')} text={JSON.stringify(part, null, 2)} />;
}

/** What a resource holds: its text, its picture, or how large it is. */
export function ResourceText({ resource }: { resource: JsonObject }) {
  const { t, i18n } = useTranslation();
  const { uri, text, blob, mimeType } = resource;
  const mime = textOf(mimeType);
  const label = [textOf(uri), mime].filter((one) => one !== '').join(' · ');
  if (typeof text === 'string') return <ToolText label={label} text={prettyJson(text)} />;
  if (displayableImageTypes.includes(mime) && isBase64(blob)) {
    return (
      <div>
        <h3 className="untrusted">{label}</h3>
        <img className="mcp-image" src={`data:${mime};base64,${blob}`} alt={t('mcpTry.image')} />
      </div>
    );
  }
  const size = sizeText(Math.floor((textOf(blob).length * 3) / 4), i18n.language);
  return (
    <div>
      <h3 className="untrusted">{label}</h3>
      <p className="plain">{t('mcpTry.data', { mime, size })}</p>
    </div>
  );
}

const isBase64 = (data: unknown): data is string =>
  typeof data === 'string' && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
