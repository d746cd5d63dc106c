/** A thing that a server lists: it tells what it likes, so each field is looked at. */
export interface Listed {
  name: string;
  title: string;
  description: string;
  uri: string;
  mimeType: string;
  arguments: { name: string; description: string; required: boolean }[];
}

type Json = Record<string, unknown>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export function listedOf(item: Json): Listed {
  const given = Array.isArray(item['arguments']) ? (item['arguments'] as unknown[]) : [];
  return {
    name: textOf(item['name']),
    title: textOf(item['title']),
    description: textOf(item['description']),
    uri: textOf(item['uri']),
    mimeType: textOf(item['mimeType']),
    arguments: given
      .filter((one): one is Json => typeof one === 'object' && one !== null)
      .map((one) => ({
        name: textOf(one['name']),
        description: textOf(one['description']),
        required: one['required'] === true,
      })),
  };
}
