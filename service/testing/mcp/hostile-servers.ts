import { join } from 'node:path';
import type { McpDefinition } from '../../contract/index.ts';
import { nodeServer } from './real-servers.ts';

const script = join(import.meta.dirname, 'hostile-server.mjs');

/**
 * Returns a server of ours that misbehaves in this way; without a way it works correctly and
 * quickly.
 */
export const hostileServer = (
  mode = 'good',
  overrides: Partial<McpDefinition> = {},
  args: string[] = [],
): McpDefinition => nodeServer(script, [mode, ...args], { name: mode, ...overrides });
