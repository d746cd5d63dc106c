/**
 * The script of the frame that draws diagrams. It has no network access, and answers on the port
 * that it receives.
 */
import mermaid from 'mermaid';

interface Source {
  text: string;
  isDark: boolean;
}

let count = 0;

async function draw({ text, isDark }: Source): Promise<{ svg: string } | { error: string }> {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    theme: isDark ? 'dark' : 'default',
    suppressErrorRendering: true,
    // Not every browser renders HTML labels inside of an image.
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    maxTextSize: 50_000,
    maxEdges: 500,
  });
  count += 1;
  try {
    const { svg } = await mermaid.render(`diagram-${count}`, text);
    return { svg: withAbsoluteSize(svg) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  } finally {
    document.body.replaceChildren();
  }
}

/** Sets absolute dimensions: an image whose width is a percentage has no size of its own. */
function withAbsoluteSize(svg: string): string {
  const holder = document.createElement('div');
  holder.innerHTML = svg;
  const root = holder.querySelector('svg');
  const [, , width = 0, height = 0] = (root?.getAttribute('viewBox') ?? '')
    .split(/[\s,]+/)
    .map(Number);
  if (!root || !(width > 0 && height > 0)) return svg;
  root.setAttribute('width', String(Math.ceil(width)));
  root.setAttribute('height', String(Math.ceil(height)));
  return new XMLSerializer().serializeToString(root);
}

addEventListener(
  'message',
  ({ ports: [port] }) => {
    if (port)
      port.onmessage = ({ data }: MessageEvent<Source>) =>
        void draw(data).then((answer) => port.postMessage(answer));
  },
  { once: true },
);
