import { z } from 'zod';
import { answerFramePolicy, api, endpoint, open } from '../contract/index.ts';
import { HostError } from '../core/host-error.ts';
import { FileReply, TextReply } from '../http/reply.ts';
import { type Route, route } from '../http/route.ts';
import { openBelow } from '../platform/archives/plain-open.ts';
import { msg } from '../messages/index.ts';

const frame = endpoint({
  method: 'GET',
  path: '/answer-frame/{name}',
  access: open,
  summary: 'An empty page that shows what an answer contains, shut in by its policy',
  params: z.object({ name: z.enum(['page', 'diagram', 'diagram.js']) }),
});

/** Shows HTML that the embedding page sends, once. The policy is still that of this page. */
const page = `<!doctype html><meta charset="utf-8"><script>
addEventListener('message', ({ source, data }) => {
  if (source !== parent || typeof data !== 'string') return;
  document.open();
  document.write(data);
  document.close();
}, { once: true });
</script>`;
const diagram = `<!doctype html><meta charset="utf-8"><body><script src="diagram.js"></script>`;

const headers = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'no-cache',
  // Even a DNS lookup can leak data in its name.
  'X-DNS-Prefetch-Control': 'off',
};

interface AnswerFrameOptions {
  /** Folder of the built script. */
  directory: string;
  /** Origin of this host. */
  origin: () => string;
  frameAncestors: () => string[];
}

/** Routes of the sandboxed frames for HTML, SVG and diagrams of answers. They hold no data. */
export function answerFrameRoutes(options: AnswerFrameOptions): Route[] {
  const { directory, origin, frameAncestors } = options;
  return [
    route(api.answerFrames.show, () => ({
      page: `${origin()}/answer-frame/page`,
      diagram: `${origin()}/answer-frame/diagram`,
    })),
    route(frame, async ({ params: { name } }) => {
      if (name === 'diagram.js') {
        const file = await openBelow(directory, [name]);
        if (file === null) throw new HostError('missing', 'not_found', msg('request.noSuchFile'));
        return new FileReply(file, name, headers);
      }
      return new TextReply(name === 'page' ? page : diagram, {
        ...headers,
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': answerFramePolicy(name, frameAncestors()),
      });
    }),
  ];
}
