/**
 * Returns a page that replaces the shell around a plugin page. Like the shell, it sends the frame a
 * port at each load and another to a script that greets later, uses the port that is used first,
 * and forwards every request to its server.
 */
export const shellPage = (
  pluginId: string,
  capabilities: readonly string[],
): string => `<!doctype html>
<meta charset="utf-8">
<style>html, body, iframe { margin: 0; width: 100%; height: 100%; border: 0; display: block }</style>
<body>
<script>
  const asked = new URLSearchParams(location.search);
  const protocolVersion = asked.get('version') ?? '1';
  const facts = {
    protocolVersion,
    pluginId: ${JSON.stringify(pluginId)},
    theme: asked.get('theme') ?? 'light',
    locale: asked.get('locale') ?? 'en',
    capabilities: ${JSON.stringify(capabilities)},
  };
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.src = '/plugin-runtime/${pluginId}/index.html';
  let offered = [];
  let claimed = null;
  window.send = (event, data) => claimed.postMessage({ event, data });
  const answer = async ({ method, params }) => {
    if (method === 'host.ready') return { result: facts };
    const body = JSON.stringify({ method, params });
    const response = await fetch('/bridge', { method: 'POST', body });
    let text = '';
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { error: { code: -32015, message: 'The connection was closed.' } };
      const lines = (text + value).split('\\n');
      text = lines.pop();
      for (const line of lines.map((one) => JSON.parse(one))) {
        if ('progress' in line) window.send('progress', line.progress);
        else return line;
      }
    }
  };
  const offer = () => {
    const { port1, port2 } = new MessageChannel();
    offered.push(port1);
    port1.onmessage = async ({ data }) => {
      claimed ??= port1;
      if (claimed !== port1) return;
      port1.postMessage({ id: data.id, ...(await answer(data)) });
    };
    frame.contentWindow.postMessage({ type: 'host.port', protocolVersion }, '*', [port2]);
  };
  frame.addEventListener('load', () => {
    for (const port of offered) port.close();
    [offered, claimed] = [[], null];
    offer();
  });
  addEventListener('message', ({ source, data }) => {
    if (source !== frame.contentWindow || data?.type !== 'plugin.hello') return;
    if (!claimed && offered.length === 1) offer();
  });
  document.body.append(frame);
</script>`;
