import { from } from './requirement.ts';

export const limit = [
  ...from('Limits; What the service does', {
    'LIMIT-01': 'The default port is 24056.',
  }),
  ...from('Limits; Run mode', {
    'LIMIT-02': 'The startup probe of the database has a login timeout of 5 seconds.',
  }),
  ...from('Limits; Events', {
    'LIMIT-03':
      'The notification stream sends the comment `: heartbeat` every 25 seconds while idle.',
  }),
  ...from('Limits; Notification stream (GET /api/notifications/stream?ticket=)', {
    'LIMIT-04': 'At most 200 notification rows per install are kept; the oldest go first.',
  }),
  ...from('Limits; Notifications', {
    'LIMIT-05': '`GET /api/notifications` answers at most 100 rows per call.',
  }),
  ...from('Limits; Agent', {
    'LIMIT-06': 'A batch has 1 to 8 goals.',
  }),
  ...from('Limits; Errors', {
    'LIMIT-07': 'A workflow definition has at most 64 steps; saving rejects more.',
  }),
  ...from('Limits', {
    'LIMIT-08': 'Shape and size caps of a workflow graph are validated on save.',
    'LIMIT-09': '`task_wait` takes up to 20 task ids.',
    'LIMIT-10': 'The interval of a schedule is at least 60 seconds.',
    'LIMIT-11': 'At most 50 schedules are active.',
    'LIMIT-12': 'A schedule expires after 7 days.',
    'LIMIT-13': 'Schedules are kept in memory; a restart clears them.',
    'LIMIT-14': 'Automatic context compaction starts at 60% of the context window.',
    'LIMIT-15': 'The default context window is 32768 tokens.',
    'LIMIT-16': 'A context window of 0 disables automatic compaction.',
    'LIMIT-17': 'Tokens are estimated from UTF-8 bytes.',
    'LIMIT-18': 'Compaction keeps the latest 8 rounds verbatim.',
    'LIMIT-19': "A tool result over 64 KiB keeps head and tail in the model's context.",
    'LIMIT-20': 'The response of a plugin store catalog is capped at 16 MiB.',
    'LIMIT-21': 'Plugin store installs clone only from `https`, `http` and `file` URLs.',
  }),
  ...from('Limits; Authentication', {
    'LIMIT-22': '`HOST_MACHINE_KEY` has at least 16 characters; a shorter one is refused.',
  }),
  ...from('Limits', {
    'LIMIT-23': 'The flow canvas can undo 50 steps.',
    'LIMIT-24': 'The recency half-life of memory ranking is 7 days.',
  }),
  ...from('Limits; Plugin file grants (base /api/plugin-runtime/{id}/files)', {
    'LIMIT-25':
      'Grants are in memory and their files in the temp tree; both are cleared only at host shutdown, which deletes the whole runtime-files tree; there is no scheduled sweep.',
  }),
];
