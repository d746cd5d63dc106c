interface Told {
  value?: unknown;
}

/** A node as `Accessibility.getFullAXTree` tells it. */
export interface AccessibilityNode {
  nodeId: string;
  ignored?: boolean;
  role?: Told;
  name?: Told;
  value?: Told;
  properties?: { name: string; value: Told }[];
  childIds?: string[];
  parentId?: string;
}

const maxNameCharacters = 300;
const maxDepth = 40;

/** Without a name these only hold others together. */
const silent = new Set(['generic', 'none', 'InlineTextBox', 'LineBreak', 'LayoutTable', 'Iframe']);

const told = new Set([
  ...['checked', 'disabled', 'expanded', 'focused', 'level', 'pressed', 'readonly', 'required'],
  ...['selected', 'multiselectable', 'modal', 'invalid'],
]);

/** One node a line: `- role "name" value="…" [level=1]`, children indented. */
export function accessibilityText(nodes: readonly AccessibilityNode[], most: number): string {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const lines: string[] = [];
  let length = 0;
  const walk = (node: AccessibilityNode, depth: number, above: string): void => {
    if (length > most) return;
    const isShown = isTold(node, above);
    if (isShown) {
      const line = `${'  '.repeat(Math.min(depth, maxDepth))}- ${lineOf(node)}`;
      length += line.length + 1;
      lines.push(line);
    }
    for (const id of node.childIds ?? []) {
      const child = byId.get(id);
      // A tree holds each node once, whatever it says.
      byId.delete(id);
      if (child) walk(child, isShown ? depth + 1 : depth, isShown ? textOf(node.name) : above);
    }
  };
  for (const node of nodes) if (node.parentId === undefined) walk(node, 0, '');
  return lines.join('\n');
}

/** What only repeats the name of the node above it, or holds others together, is not told. */
function isTold(node: AccessibilityNode, above: string): boolean {
  const role = textOf(node.role);
  const name = textOf(node.name);
  if (node.ignored === true || role === 'InlineTextBox') return false;
  if (role === 'StaticText') return !above.includes(name);
  return name !== '' || !silent.has(role);
}

function lineOf(node: AccessibilityNode): string {
  const [role, name, value] = [textOf(node.role), textOf(node.name), textOf(node.value)];
  const states = (node.properties ?? []).flatMap(stateOf);
  return [
    role,
    ...(name === '' ? [] : [JSON.stringify(name)]),
    ...(value === '' || value === name ? [] : [`value=${JSON.stringify(value)}`]),
    ...(states.length === 0 ? [] : [`[${states.join(', ')}]`]),
  ].join(' ');
}

function stateOf({ name, value }: { name: string; value: Told }): string[] {
  const text = textOf(value);
  if (!told.has(name) || text === 'false' || text === '') return [];
  return text === 'true' ? [name] : [`${name}=${text}`];
}

function textOf(told: Told | undefined): string {
  const value = told?.value;
  const isPlain =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  const text = isPlain ? String(value).slice(0, maxNameCharacters) : '';
  return text.replaceAll(/\s+/g, ' ').trim();
}
