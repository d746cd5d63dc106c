import { from } from './requirement.ts';

export const stream = [
  ...from('Events', {
    'STREAM-01':
      'No webhooks exist: every event is an SSE frame of a stream that the client opened.',
    'STREAM-02':
      'A frame is optional comment lines, then `event: <type>` and `data: <one JSON object>`.',
    'STREAM-03':
      'Chat and agent streams open with the comment `: connected`, which is not an event.',
    'STREAM-04': 'An `error` frame is terminal: the server closes the stream right after it.',
    'STREAM-05':
      'Streams are not resumable: a `streamId` and a `runId` are single-use, a second opening is refused.',
  }),
  ...from('Errors', {
    'STREAM-06': 'A failure on a stream arrives as the event `error` with `{message}`.',
  }),
];
