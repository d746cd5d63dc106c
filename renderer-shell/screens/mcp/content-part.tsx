import { useTranslation } from '../../core/messages/use-translation.ts';
import { ToolText } from '../../ui/cards/tool-card.tsx';
import { sizeText } from '../../core/messages/amounts.ts';
import { isObject, type JsonObject, prettyJson, textOf } from '../../core/json.ts';

/** Image types that a browser displays without running scripts. */
const displayableImageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Shows one part of a server's response: text, an image, a resource, or its JSON. */
export function ContentPart({ part }: { part: JsonObject }) {
  const { t, language } = useTranslation();
  const { type, text, data, mimeType, resource } = part;
  const mime = textOf(mimeType);
  if (type === 'text') return <ToolText label={t('mcpTry.text')} text={prettyJson(textOf(text))} />;
  if (type === 'image' && displayableImageTypes.includes(mime) && isBase64(data))
    return (
      <img className="mcp-image" src={`data:${mime};base64,${data}`} alt={t('mcpTry.image')} />
    );
  if (type === 'resource' && isObject(resource)) return <ResourceText resource={resource} />;
  if (typeof data === 'string') {
    const size = sizeText(Math.floor((data.length * 3) / 4), language);
    return <p className="plain untrusted">{t('mcpTry.data', { mime, size })}</p>;
  }
  return <ToolText label={t('mcpTry.json')} text={JSON.stringify(part, null, 2)} />;
}

/** Shows the content of a resource: its text, its image, or its size. */
export function ResourceText({ resource }: { resource: JsonObject }) {
  const { t, language } = useTranslation();
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
  const size = sizeText(Math.floor((textOf(blob).length * 3) / 4), language);
  return (
    <div>
      <h3 className="untrusted">{label}</h3>
      <p className="plain">{t('mcpTry.data', { mime, size })}</p>
    </div>
  );
}

const isBase64 = (data: unknown): data is string =>
  typeof data === 'string' && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
