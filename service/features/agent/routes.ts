import { api } from '../../contract/index.ts';
import { type Route, route } from '../../http/route.ts';
import type { AgentDesk } from './agent-desk.ts';
import type { GoingOn } from './going-on.ts';

const { agent } = api;

export const agentRoutes = (desk: AgentDesk, goingOn: GoingOn): Route[] => [
  route(agent.run, async ({ body }) => ({ runId: await desk.run(body) })),
  route(agent.batch, ({ body }) => desk.batch(body)),
  route(agent.approve, ({ params, query, body }) => desk.approve(params.runId, query, body)),
  route(agent.cancel, ({ params }) => desk.cancel(params.runId)),
  route(agent.runs, ({ query }) => desk.runs(query)),
  route(api.runStreams.follow, ({ params, query }) => desk.follow(params.runId, query.after)),
  route(agent.show, ({ params }) => desk.show(params.runId)),
  route(agent.resume, async ({ params }) => ({ runId: await goingOn.resume(params.runId) })),
  route(agent.fork, async ({ params }) => ({ runId: await goingOn.fork(params.id) })),
  route(agent.rewind, async ({ params, body }) => ({
    runId: await goingOn.rewind(params.id, body.keepSteps),
  })),
];
