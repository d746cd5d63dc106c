import type { Client } from '../../../service/client/index.ts';
import { api } from '../../../service/contract/index.ts';

/** The Mermaid source of a diagram, and the color scheme to draw it in. */
export interface DiagramSource {
  text: string;
  isDark: boolean;
}

/** The drawn SVG, or the error message of Mermaid. */
export type DrawnDiagram = { svg: string } | { error: string };

const limitMs = 20_000;
const maxSvgCharacters = 2_000_000;

let drawing: Promise<MessagePort> | null = null;
/**
 * Diagrams are drawn one after the other, because each is measured in the document of the frame.
 */
let last: Promise<unknown> = Promise.resolve();

/**
 * Draws a Mermaid diagram in a sandboxed frame without network, which is created for the first
 * diagram. The page turns the result into an image, so that no script in it can run. Rejects if the
 * frame cannot be opened or does not answer within 20 s; the next diagram gets a new frame.
 */
export function drawDiagram(client: Client, source: DiagramSource): Promise<DrawnDiagram> {
  const drawn = last.then(async () => {
    drawing ??= openFrame(client);
    try {
      return await ask(await drawing, source);
    } catch (error) {
      drawing = null;
      document.querySelector('iframe.diagram-frame')?.remove();
      throw error;
    }
  });
  last = drawn.catch(() => undefined);
  return drawn;
}

async function openFrame(client: Client): Promise<MessagePort> {
  const { diagram } = await client.call(api.answerFrames.show);
  const frame = document.createElement('iframe');
  frame.className = 'diagram-frame';
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.setAttribute('aria-hidden', 'true');
  frame.tabIndex = -1;
  frame.referrerPolicy = 'no-referrer';
  frame.src = diagram;
  const channel = new MessageChannel();
  await withinLimit((done) => {
    frame.addEventListener('load', () => done(undefined), { once: true });
    document.body.append(frame);
  });
  frame.contentWindow?.postMessage('draw', '*', [channel.port2]);
  return channel.port1;
}

const ask = (port: MessagePort, source: DiagramSource): Promise<DrawnDiagram> =>
  withinLimit((done) => {
    port.onmessage = ({ data }: MessageEvent<{ svg?: unknown; error?: unknown }>) => {
      const { svg, error } = data;
      const isPicture = typeof svg === 'string' && svg.length <= maxSvgCharacters;
      done(isPicture ? { svg } : { error: String(error).slice(0, 2_000) });
    };
    port.postMessage(source);
  });

function withinLimit<T>(begin: (done: (value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error('The frame of diagrams does not answer.'));
    const timer = setTimeout(late, limitMs);
    begin((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });
}
