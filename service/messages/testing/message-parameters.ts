import { parse, TYPE } from '@formatjs/icu-messageformat-parser';

/** Returns the names of the parameters of a catalog text, sorted. */
export function parametersOf(text: string): string[] {
  const names = new Set<string>();
  const visit = (elements: ReturnType<typeof parse>): void => {
    for (const element of elements) {
      if ('value' in element && element.type !== TYPE.literal && typeof element.value === 'string')
        names.add(element.value);
      if ('options' in element)
        for (const { value } of Object.values(element.options)) visit(value);
    }
  };
  visit(parse(text, { ignoreTag: true }));
  return [...names].toSorted();
}
