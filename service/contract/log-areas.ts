/** From everything to nothing. */
export const logLevels = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'OFF'] as const;

/** The parts of the host that write to the log; each can have a level of its own. */
export const logAreas = [
  'agent',
  'backup',
  'browser',
  'chat',
  'database',
  'desktop',
  'hooks',
  'http',
  'isolation',
  'launch',
  'mcp',
  'metrics',
  'models',
  'permissions',
  'plugins',
  'processes',
  'schedules',
  'setup',
  'store',
  'tools',
  'updates',
] as const;
