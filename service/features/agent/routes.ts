import { api } from '../../contract/index.ts';
import { type Route, route } from '../../http/route.ts';
import type { AgentService } from './agent-service.ts';
import type { RunResumer } from './resume-run.ts';
import { documentOf } from './runs/run-views.ts';

const { agent } = api;

export const agentRoutes = (service: AgentService, goingOn: RunResumer): Route[] => [
  route(agent.run, async ({ body }) => ({ runId: await service.run(body) })),
  route(agent.batch, ({ body }) => service.batch(body)),
  route(agent.approve, ({ params, query, body }) => service.approve(params.runId, query, body)),
  route(agent.cancel, ({ params }) => service.cancel(params.runId)),
  route(agent.runs, ({ query }) => service.runs(query)),
  route(api.runStreams.follow, ({ params, query }) => service.follow(params.runId, query.after)),
  route(agent.show, ({ params }) => service.show(params.runId)),
  route(agent.export, async ({ params }) => documentOf(await service.show(params.runId))),
  route(agent.remove, async ({ params }) => {
    await service.remove(params.runId);
    return undefined;
  }),
  route(agent.resume, async ({ params }) => ({ runId: await goingOn.resume(params.runId) })),
  route(agent.fork, async ({ params, body }) => ({
    runId: await goingOn.fork(params.id, body?.from),
  })),
  route(agent.rewind, async ({ params, body }) => ({
    runId: await goingOn.rewind(params.id, body.keepSteps),
  })),
];
