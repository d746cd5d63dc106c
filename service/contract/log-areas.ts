/** Log levels, most detailed first. */
export const logLevels = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'OFF'] as const;

/** Areas of the log; each can have its own level. */
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
