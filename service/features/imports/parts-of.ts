import type { ImportSource } from '../../contract/index.ts';
import { isObject } from '../../core/is-object.ts';
import { cherryStudioParts } from './cherry-studio.ts';
import { claudeCodeParts } from './claude-code.ts';
import { type FoundParts, nothing } from './found-parts.ts';

/** `claude_desktop_config.json`. */
const claudeDesktopParts = (document: unknown): FoundParts => ({
  ...nothing(),
  servers: mapAt(document, 'mcpServers'),
});

/** `mcp.json` of a workspace or a user, or `settings.json` of earlier versions. */
function vscodeParts(document: unknown): FoundParts {
  if (!isObject(document)) return nothing();
  const servers = {
    ...mapAt(document['mcp'], 'servers'),
    ...mapAt(document, 'mcp.servers'),
    ...mapAt(document, 'servers'),
  };
  return { ...nothing(), servers };
}

const mapAt = (document: unknown, name: string): Record<string, unknown> => {
  const map = isObject(document) ? document[name] : undefined;
  return isObject(map) ? map : {};
};

/** Reads the configuration of each program. */
export const partsOf: Readonly<Record<ImportSource, (document: unknown) => FoundParts>> = {
  'claude-desktop': claudeDesktopParts,
  'claude-code': claudeCodeParts,
  'cherry-studio': cherryStudioParts,
  vscode: vscodeParts,
};
