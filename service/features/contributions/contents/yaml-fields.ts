import { type Document, isAlias, isMap, isScalar, parseDocument } from 'yaml';

/** Null if it is not a YAML map. Aliases are not resolved, so they cannot expand. */
export function fieldsOfYaml(header: string): Map<string, string> | null {
  const map = parsed(header)?.contents;
  if (!isMap(map)) return null;
  const fields = new Map<string, string>();
  for (const { key, value } of map.items) {
    if (!isScalar(key) || typeof key.value !== 'string' || fields.has(key.value)) continue;
    if (isScalar(value)) fields.set(key.value, textOf(value.value));
    else if (isMap(value) || (value !== null && !isAlias(value))) {
      const range = (value as { range?: [number, number, number] | null }).range;
      if (range) fields.set(key.value, header.slice(range[0], range[1]).trim());
    }
  }
  return fields;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

/** The failsafe schema keeps numbers, dates and the like as text. */
function parsed(header: string): Document | null {
  try {
    const options = { schema: 'failsafe', uniqueKeys: false, logLevel: 'silent' } as const;
    const document = parseDocument(header, { ...options, prettyErrors: false });
    return document.errors.length === 0 ? document : null;
  } catch {
    return null;
  }
}
