import { createHash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOn, serveWeb, type WebServer } from '../web-server.ts';

/** An allowed site, a server that is not allowed, and a UDP port that is not allowed. */
export interface Site extends WebServer {
  /** `METHOD path` of each request, in order. */
  seen: string[];
  hidden: WebServer & { seen: string[] };
  udp: { port: number; packets: number };
  /** Number of open WebSockets. */
  sockets(): number;
}

type Answerer = (request: IncomingMessage, response: ServerResponse, site: Site) => void;

const html = { 'content-type': 'text/html; charset=utf-8' };
const page =
  (body: string | ((site: Site) => string)): Answerer =>
  (_request, response, site) =>
    void response.writeHead(200, html).end(typeof body === 'string' ? body : body(site));

/** A page that tries every way of loading from another server. */
const reachingOut = ({ hidden, udp }: Site): string => `<title>reaching</title>
<img src="${hidden.base}/img"><script src="${hidden.base}/script"></script>
<link rel="stylesheet" href="${hidden.base}/css"><link rel="prefetch" href="${hidden.base}/prefetch">
<link rel="dns-prefetch" href="//localhost"><link rel="preconnect" href="${hidden.base}">
<iframe src="${hidden.base}/frame"></iframe><iframe src="http://localhost:${hidden.port}/name"></iframe>
<video src="${hidden.base}/video"></video><object data="${hidden.base}/object"></object>
<script>
const tried = [
  fetch('${hidden.base}/fetch', { mode: 'no-cors' }),
  fetch('/to-hidden', { mode: 'no-cors' }),
  new Promise((done) => { const ws = new WebSocket('ws://127.0.0.1:${hidden.port}/ws'); ws.onerror = ws.onclose = done; }),
  new Promise((done) => { const es = new EventSource('${hidden.base}/events'); es.onerror = () => { es.close(); done(); }; }),
  new Promise((done) => {
    const code = "fetch('${hidden.base}/worker',{mode:'no-cors'}).catch(()=>0).then(()=>postMessage(1))";
    new Worker(URL.createObjectURL(new Blob([code]))).onmessage = done;
  }),
];
navigator.sendBeacon('${hidden.base}/beacon', 'x');
let rtc = 'none';
try {
  const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${udp.port}' }] });
  peer.createDataChannel('x');
  peer.createOffer().then((offer) => peer.setLocalDescription(offer));
  rtc = 'made';
} catch {}
try { new WebTransport('https://127.0.0.1:${udp.port}/').ready.catch(() => 0); } catch {}
Promise.allSettled(tried).then((all) => { document.title = 'tried ' + all.length + ' ' + rtc; });
</script>`;

const form = `<title>Form</title><h1>Sign in</h1><p>Hello <b>there</b></p>
<p style="display:none">never seen</p><script>const unread = 'script text';</script>
<form action="/sent"><label>Name <input id="name" name="name" value="old"></label>
<input type="Password" id="secret" name="p" value="hunter2">
<select id="colour" name="colour"><option value="r">Red</option><option value="g">Green</option></select>
<button>Send it</button></form><a href="/second" id="link">Second page</a>
<input type="file" id="file">
<div style="height:3000px"></div>
<script>
document.addEventListener('keydown', (e) => { document.title = [e.ctrlKey && 'ctrl', e.key].filter(Boolean).join('+'); });
addEventListener('scroll', () => { document.title = 'at ' + Math.round(scrollY); });
</script>`;

const permissions = `<title>asking</title><script>
const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'midi'];
const stateOf = (name) => navigator.permissions.query({ name }).then((p) => p.state, () => 'denied');
Promise.all(names.map(stateOf)).then(async (all) => {
  const asked = await new Promise((done) => navigator.geolocation.getCurrentPosition(() => done('given'), () => done('denied')));
  const notice = await Notification.requestPermission();
  document.title = [...new Set([...all, asked, notice])].join();
});
</script>`;

const pages: Record<string, Answerer> = {
  '/form': page(form),
  '/sent': (request, response) =>
    void response.writeHead(200, html).end(`<title>Sent ${request.url}</title>`),
  '/second': page('<title>Second</title><p>The second page'),
  '/late': page(
    '<title>Late</title><script>setTimeout(() => { document.body.innerHTML = "<p id=late>has come</p>"; }, 300)</script><body>',
  ),
  '/cookie': (request, response) => {
    const had = request.headers.cookie ?? 'none';
    const headers = { ...html, 'set-cookie': 'who=me' };
    response.writeHead(200, headers).end(`<title>cookie ${had}</title>`);
  },
  '/to-hidden': (_request, response, { hidden }) =>
    void response.writeHead(302, { location: `${hidden.base}/redirected` }).end(),
  '/to-denied': ({ socket }, response) =>
    void response.writeHead(302, { location: `http://localhost:${socket.localPort}/denied` }).end(),
  '/reaching': page(reachingOut),
  '/socket': page(
    ({ port }) =>
      `<title>waiting</title><script>new WebSocket('ws://127.0.0.1:${port}/ws').onopen = () => { document.title = 'open'; }</script>`,
  ),
  '/alerts': page('<title>alerts</title><script>for (;;) alert("again")</script>'),
  '/prompts': page(
    '<title>prompts</title><script>document.title = [prompt("Your password?"), confirm("Sure?")].join()</script>',
  ),
  '/popups': page(
    '<title>popups</title><script>for (let i = 0; i < 50; i += 1) open("/second?" + i)</script>',
  ),
  '/popup': page('<title>popup</title><a id="open" href="/second" target="_blank">open</a>'),
  '/many': page(
    '<title>many</title><button id="open" onclick="for (let i = 0; i < 30; i += 1) window.open(\'/second?\' + i)">open</button>',
  ),
  '/loop': page(
    '<title>loop</title><p>text</p><script>setTimeout(() => { for (;;); }, 50)</script>',
  ),
  '/leaving': page(
    '<title>leaving</title><button id="stay">x</button><script>onbeforeunload = (e) => { e.preventDefault(); return "stay"; }</script>',
  ),
  '/console': page(
    '<title>console</title><p>text</p><script>const big = "x".repeat(1e6); setInterval(() => { for (let i = 0; i < 50; i += 1) console.log(big + i); }, 0)</script>',
  ),
  '/hog': page(
    '<title>hog</title><script>const all = []; setInterval(() => { for (let i = 0; i < 4; i += 1) all.push(new Uint8Array(64e6).fill(1)); }, 20)</script>',
  ),
  '/permissions': page(permissions),
  '/worker': page(
    '<title>worker</title><script>navigator.serviceWorker.register("/sw.js").then(() => 0, () => 0); setTimeout(async () => { document.title = "workers " + (await navigator.serviceWorker.getRegistrations()).length; }, 500)</script>',
  ),
  '/sw.js': (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/javascript' }).end('0'),
  '/download': (_request, response) =>
    void response
      .writeHead(200, {
        'content-type': 'application/octet-stream',
        'content-disposition': 'attachment; filename="evil.bin"',
      })
      .end(Buffer.alloc(1_000)),
  '/downloading': page('<title>d</title><a id="get" href="/download" download>get</a>'),
  '/files': page(
    '<title>files</title><a id="f" href="file:///etc/passwd">f</a><iframe src="file:///etc/passwd"></iframe>',
  ),
  '/clobbered': page(
    '<title>clobbered</title><form><input name="firstChild"><input name="nextSibling"><input name="nodeName"><input name="nodeType"><input name="attributes"><input name="matches"><p>inside</p></form><p>behind</p><script>Array.prototype.join = JSON.stringify = String.prototype.replaceAll = () => { throw 1 }</script>',
  ),
  '/parts': page(
    '<title>Parts</title><div id="card"><b slot="part">put in</b></div><div style="display:contents"><button>boxless</button></div><script>document.getElementById("card").attachShadow({ mode: "open" }).innerHTML = "<h3>Card</h3><slot name=part></slot>"</script>',
  ),
  '/huge-dom': page(
    '<title>huge</title><body><script>document.body.append(..."x".repeat(60000).split("").map(() => { const p = document.createElement("p"); p.textContent = "word"; return p; })); document.body.setAttribute("aria-label", "a".repeat(2 ** 26));</script>',
  ),
  '/gigabyte': (_request, response) => {
    const piece = Buffer.alloc(1024 ** 2, 'word ');
    let sent = 0;
    response.writeHead(200, html).write('<title>endless</title><!--');
    const more = (): void => {
      while (sent < 1_024 && !response.destroyed) {
        sent += 1;
        if (!response.write(piece)) return void response.once('drain', more);
      }
      response.end();
    };
    more();
  },
  '/silent': () => undefined,
};

export async function serveHostileSite(): Promise<Site> {
  const seen: string[] = [];
  const hiddenSeen: string[] = [];
  const hidden = await serveWeb((request, response) => {
    hiddenSeen.push(`${request.method} ${request.url}`);
    response.setHeader('access-control-allow-origin', '*').end('hidden');
  });
  const udp = { port: 0, packets: 0 };
  const socket = createSocket('udp4', () => void (udp.packets += 1));
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  udp.port = socket.address().port;
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    const [path = ''] = (request.url ?? '').split('?');
    const answer = pages[path];
    if (answer) answer(request, response, site);
    else response.writeHead(404, html).end('<title>not here</title>');
  });
  let sockets = 0;
  server.on('upgrade', ({ headers }, connection) => {
    sockets += 1;
    connection.once('close', () => (sockets -= 1)).once('end', () => connection.end());
    connection.resume();
    const magic = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
    const accept = createHash('sha1')
      .update(`${headers['sec-websocket-key'] ?? ''}${magic}`)
      .digest('base64');
    connection.on('error', () => undefined);
    connection.write(
      `HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
  });
  const web = await listenOn(server);
  const site: Site = {
    ...web,
    sockets: () => sockets,
    seen,
    udp,
    hidden: { ...hidden, seen: hiddenSeen },
    close: async () => {
      socket.close();
      await Promise.all([web.close(), hidden.close()]);
    },
  };
  return site;
}
