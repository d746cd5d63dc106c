/** Returns the reference with which a later step uses a value of an earlier one. */
export function referenceTo(id: string, path: string): string {
  const rest = path === '' || path.startsWith('[') ? path : `.${path}`;
  return `{{node.${id}.result${rest}}}`;
}
