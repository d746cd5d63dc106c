/** Returns the most descriptive argument of a call for its heading. */
export function mainArgumentOf(args: Record<string, unknown> | null): string {
  const descriptiveNames = ['command', 'query', 'url', 'path', 'name', 'text'];
  const strings = Object.entries(args ?? {}).filter(([, value]) => typeof value === 'string');
  const [, value] = strings.find(([key]) => descriptiveNames.includes(key)) ?? strings[0] ?? [];
  return typeof value === 'string' ? value : '';
}
