import { isObject, type JsonObject, textOf } from '../../core/json.ts';

/** An item that a server lists. The server is not trusted, so each field is validated. */
export interface Listed {
  name: string;
  title: string;
  description: string;
  uri: string;
  mimeType: string;
  arguments: { name: string; description: string; required: boolean }[];
}

export function listedOf(item: JsonObject): Listed {
  const args = Array.isArray(item['arguments']) ? (item['arguments'] as unknown[]) : [];
  return {
    name: textOf(item['name']),
    title: textOf(item['title']),
    description: textOf(item['description']),
    uri: textOf(item['uri']),
    mimeType: textOf(item['mimeType']),
    arguments: args.filter(isObject).map((one) => ({
      name: textOf(one['name']),
      description: textOf(one['description']),
      required: one['required'] === true,
    })),
  };
}
