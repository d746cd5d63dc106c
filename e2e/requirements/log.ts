import { from } from './requirement.ts';

export const log = [
  ...from('Plugin runtime', {
    'LOG-01': '`GET /api/plugin-runtime/{id}/logs` answers a list of log events.',
  }),
  ...from('Plugin log event', {
    'LOG-02': 'A log event is `{timestamp, level, logger, thread, message, sequence}`.',
    'LOG-03': 'A log event that came from legacy stderr has null `logger` and `thread`.',
  }),
  ...from('Plugin runtime; Plugin log stream', {
    'LOG-04':
      '`GET /api/plugin-runtime/{id}/logs/stream` replays recent log events, then sends new ones, over SSE.',
  }),
];
