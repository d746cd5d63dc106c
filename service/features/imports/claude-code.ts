import type { NewProvider } from '../../contract/index.ts';
import { isObject } from '../../core/is-object.ts';
import { type FoundParts, nothing } from './found-parts.ts';

/**
 * Reads Claude Code's `~/.claude.json`, `.mcp.json` or `settings.json`: servers of the user and of
 * projects, and the model server in `env`.
 */
export function claudeCodeParts(document: unknown): FoundParts {
  if (!isObject(document)) return nothing();
  const projects = isObject(document['projects']) ? Object.values(document['projects']) : [];
  const maps = [...projects, document].map((part) =>
    isObject(part) && isObject(part['mcpServers']) ? part['mcpServers'] : {},
  );
  return {
    ...nothing(),
    // The user's own servers take precedence over those of a project.
    servers: Object.assign({}, ...maps) as Record<string, unknown>,
    providers: providerIn(document['env']),
  };
}

function providerIn(env: unknown): NewProvider[] {
  if (!isObject(env)) return [];
  const text = (name: string): string => {
    const value = env[name];
    return typeof value === 'string' ? value.trim() : '';
  };
  const apiKey = text('ANTHROPIC_API_KEY') || text('ANTHROPIC_AUTH_TOKEN');
  const address = text('ANTHROPIC_BASE_URL');
  if (apiKey === '' && address === '') return [];
  const models = [...new Set([text('ANTHROPIC_MODEL'), text('ANTHROPIC_SMALL_FAST_MODEL')])];
  const names = models.filter(Boolean);
  return [
    {
      name: 'Claude Code',
      protocol: 'anthropic',
      baseUrl: address === '' ? 'https://api.anthropic.com' : address,
      apiKey,
      ...(names.length === 0 ? {} : { models: names }),
    },
  ];
}
