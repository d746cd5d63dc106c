import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  type AgentConfig,
  type AgentPlan,
  api,
  tokenHeader,
} from '../../service/contract/index.ts';
import type { Server } from './processes.ts';
import { token } from './two-servers.ts';

/** Starts a run as a page does, and reads its stream to the end. Returns its id. */
export async function doRun(
  { port }: Server,
  plan: AgentPlan,
  config: AgentConfig = {},
): Promise<string> {
  const startRequest = send(port, 'POST', api.agent.run.path);
  const order = { goal: 'Bench', workflow: plan, config: { planApproval: false, ...config } };
  startRequest.end(JSON.stringify(order));
  const { runId } = JSON.parse(await answerOf(startRequest)) as { runId: string };
  const streamBody = await answerOf(
    send(port, 'GET', `${api.runStreams.agent.path}?runId=${runId}`).end(),
  );
  if (!streamBody.includes('event: complete'))
    throw new Error(`The run failed: ${streamBody.slice(-500)}`);
  return runId;
}

function send(port: number, method: string, path: string): ClientRequest {
  const headers = { [tokenHeader]: token, 'Content-Type': 'application/json' };
  return request({ host: '127.0.0.1', port, method, path, headers });
}

async function answerOf(asked: ClientRequest): Promise<string> {
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const body = await text(answer);
  if (answer.statusCode !== undefined && answer.statusCode < 300) return body;
  throw new Error(`Not the answer that was expected: ${body}`);
}
