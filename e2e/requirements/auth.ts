import { from } from './requirement.ts';

export const auth = [
  ...from('Authentication', {
    'AUTH-01':
      'A request passes when its header `X-Host-Token` equals the value given by `--token` at launch.',
    'AUTH-02':
      'The token is needed verbatim on every request: an accepted request opens nothing for the next one without it, and a changed copy (case, blanks, part of it) is refused.',
    'AUTH-03': '`/api/health` needs no token.',
    'AUTH-04': '`/api/setup/*` needs no token in SETUP mode.',
    'AUTH-05': '`GET /plugin-runtime/{id}/**` (static files of a plugin page) needs no token.',
    'AUTH-06':
      'The bypass covers static plugin UI assets only: everything below `/api/plugin-runtime` needs the token.',
    'AUTH-07':
      'A chat stream opens with a one-time `?ticket=` minted by `POST /api/ai/stream-ticket`, plus `?streamId=`.',
    'AUTH-08':
      'An agent stream opens with a one-time `?ticket=` minted by `POST /api/agent/stream-ticket`, plus `?runId=`.',
    'AUTH-09':
      'The notification stream opens with a one-time `?ticket=` minted by `POST /api/notifications/stream-ticket`.',
    'AUTH-10': 'The three stream-ticket endpoints mint only for a request with the token header.',
    'AUTH-11': 'A ticket works once; its second use is refused.',
    'AUTH-12': 'A ticket opens only the streams of the endpoint family that minted it.',
    'AUTH-13':
      'There is no `?token=` query parameter: the right token in a URL opens nothing, neither endpoint nor stream.',
    'AUTH-14':
      'A non-browser client may open the chat and agent streams with the header `X-Host-Token` and no ticket.',
    'AUTH-15': 'The notification stream takes only `?ticket=`: the token header alone is refused.',
  }),
  ...from('Authentication; Errors', {
    'AUTH-16':
      'A missing or mismatched token yields 401 or 403 on every token-gated endpoint, while `/api/health` still answers.',
  }),
];
