/** How the arguments of a later step name a value of an earlier one. */
export function referenceTo(id: string, path: string): string {
  const rest = path === '' || path.startsWith('[') ? path : `.${path}`;
  return `{{node.${id}.result${rest}}}`;
}
