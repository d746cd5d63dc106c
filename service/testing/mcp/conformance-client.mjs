// The client that the MCP conformance suite starts for each scenario: it makes a running host
// (HOST, TOKEN) connect to the scenario's server, sign in if required, and use what the server
// offers. All traffic with the server is the host's own.
import { setTimeout as delay } from 'node:timers/promises';

const { HOST, TOKEN, MCP_CONFORMANCE_SCENARIO: scenario = '' } = process.env;
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}');
const url = process.argv[2];
/** Below the time limit of the suite. */
const limitMs = 80_000;
/** The host retries automatically, and the next attempt may succeed on a busy machine. */
const failedMs = 10_000;
/** Number of sign-in attempts before giving up. */
const signIns = 3;

const api = (method, path, body) => request(`/api/mcp/servers${path}`, body, method);

async function request(path, body, method = body === undefined ? 'GET' : 'POST') {
  const answer = await fetch(`${HOST}${path}`, {
    method,
    headers: { 'X-Host-Token': TOKEN, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const value = text === '' ? null : JSON.parse(text);
  if (!answer.ok) throw Object.assign(new Error(value?.detail ?? text), { code: value?.code });
  return value;
}

const oauth = {
  ...(context.client_id === undefined ? {} : { clientId: context.client_id }),
  ...(context.client_secret === undefined ? {} : { clientSecret: context.client_secret }),
  ...(scenario === 'auth/basic-cimd'
    ? { clientMetadataUrl: 'https://conformance-test.local/client-metadata.json' }
    : {}),
};

async function view(id) {
  const found = (await api('GET', '')).find((one) => one.id === id);
  if (!found) throw new Error('The server is gone.');
  return found;
}

async function settled(id) {
  const since = performance.now();
  for (;;) {
    const found = await view(id);
    const { state } = found;
    const patienceMs = state === 'CONNECTING' ? limitMs : state === 'FAILED' ? failedMs : 0;
    if (performance.now() - since >= patienceMs) return found;
    await delay(20);
  }
}

/** Acts as a person in a browser: opens the page, agrees, and follows the redirect. */
async function signIn(id) {
  const { authorizationUrl } = await api('POST', `/${id}/authorize`);
  const agreed = await fetch(authorizationUrl, { redirect: 'manual' });
  const back = await fetch(agreed.headers.get('location') ?? '');
  process.stdout.write(`${await back.text()}\n`);
  return settled(id);
}

async function connected(id) {
  let now = await settled(id);
  for (let tries = 0; now.state === 'NEEDS_AUTH' && tries < signIns; tries += 1)
    now = await signIn(id);
  if (now.state !== 'CONNECTED') throw new Error(`It is ${now.state}: ${now.error}`);
  return now;
}

async function callSigned(id, call) {
  for (let tries = 0; ; tries += 1)
    try {
      return await api('POST', `/${id}/call`, call);
    } catch (error) {
      if (error.code !== 'mcp_needs_auth' || tries === signIns) throw error;
      await signIn(id);
    }
}

const samples = { string: 'text', number: 5, integer: 3, boolean: true, array: [], object: {} };

/**
 * Returns a value for each argument of a tool; `json_schema_echo` takes the schema of another tool.
 */
function argumentsOf({ name, inputSchema }, tools) {
  const { properties = {}, required = [] } = inputSchema;
  if (name === 'json_schema_echo') return { schema: tools[0].inputSchema };
  return Object.fromEntries(
    required.map((name) => [name, properties[name]?.default ?? samples[properties[name]?.type]]),
  );
}

/** Calls a tool in a chat, which can show a form; accepts the form unchanged. */
async function callInChat(tool) {
  const chat = (path, body) => request(`/api/ai/chat${path}`, body);
  const message = { role: 'user', content: `Call mcp__${name}__${tool}.` };
  const { streamId } = await chat('', { messages: [message], permissionMode: 'full-access' });
  const endsAt = performance.now() + limitMs;
  const answered = new Set();
  for (;;) {
    const { state, pendingElicitation: question } = await chat(`/${streamId}`);
    if (question && !answered.has(question.id)) {
      answered.add(question.id);
      await chat(`/${streamId}/elicit`, { id: question.id, action: 'accept', content: {} });
    }
    if (['done', 'error', 'cancelled'].includes(state) || performance.now() > endsAt) return state;
    await delay(20);
  }
}

const name = `conformance-${process.pid}`;
const created = await api('POST', '', {
  ...{ name, url, transport: 'STREAMABLE_HTTP' },
  ...(Object.keys(oauth).length === 0 ? {} : { oauth }),
});
try {
  await connected(created.id);
  const tools = await api('GET', `/${created.id}/tools`);
  const calls =
    context.toolCalls ??
    tools.map((tool) => ({ name: tool.name, arguments: argumentsOf(tool, tools) }));
  for (const call of calls) {
    const result = call.name.includes('elicitation')
      ? await callInChat(call.name)
      : await callSigned(created.id, { tool: call.name, arguments: call.arguments });
    process.stdout.write(`${call.name}: ${JSON.stringify(result)}\n`);
  }
} finally {
  process.stdout.write(`${JSON.stringify(await view(created.id))}\n`);
  await api('DELETE', `/${created.id}`);
}
