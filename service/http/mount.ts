import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express, type Request, type Response, Router } from 'express';
import type { Endpoint } from '../contract/index.ts';
import { HostError } from '../core/host-error.ts';
import { admit, type Admission } from './admit.ts';
import { answer } from './answer.ts';
import { passGate } from './gate.ts';
import { asHostError, sendProblem } from './problems.ts';
import { type ReadCall, readInput } from './read-input.ts';
import type { OpenStreams } from './open-streams.ts';
import type { Route } from './route.ts';
import { msg } from '../messages/index.ts';

export interface MountOptions extends Admission {
  routes: readonly Route[];
  /** The port of the server, known once it listens. */
  /** `name:port` each: what the service is called beside its own names. */
  allowedHosts?: readonly string[];
  port: () => number;
  uploadDirectory: string;
  streams: OpenStreams;
  /** Called with every request before it is checked. */
  onRequest?: (req: IncomingMessage, res: ServerResponse) => void;
  /** What to say of an unknown `/api` path. */
  unknownRoute: () => HostError;
  /** Told of an error that nobody expected; may return what it means to the caller instead of a 500. */
  onUnknownError: (error: unknown, req: IncomingMessage) => HostError | undefined;
}

/** One request listener for a set of routes: gate, route, access, body, handler, in this order. */
export function mount(options: MountOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  app.use((req, res, next) => {
    options.onRequest?.(req, res);
    try {
      passGate(req, options.port(), options.allowedHosts);
      next();
    } catch (error) {
      fail(options, req, res, error);
    }
  });
  for (const [prefix, routes] of groupByPrefix(options.routes))
    app.use(prefix, routerOf(prefix, routes, options));
  app.use((req, res) => refuseUnknown(options, req, res));
  app.use((error: unknown, req: Request, res: Response, _next: unknown) =>
    fail(options, req, res, error),
  );
  return app;
}

/** Routers of a few routes each are quicker to search than one of all. */
function groupByPrefix(routes: readonly Route[]): Map<string, Route[]> {
  return Map.groupBy(routes, ({ endpoint }) => prefixOf(endpoint.path));
}

function prefixOf(path: string): string {
  const parameter = path.indexOf('/{');
  const segments = (parameter === -1 ? path : path.slice(0, parameter)).split('/').slice(1, 3);
  return `/${segments.join('/')}`;
}

function routerOf(prefix: string, routes: Route[], options: MountOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const byPath = Map.groupBy(routes, ({ endpoint }) => endpoint.path);
  for (const path of [...byPath.keys()].sort(literalFirst)) {
    const methods = new Map(byPath.get(path)?.map((route) => [route.endpoint.method, route]));
    router.all(expressPath(path.slice(prefix.length)), (req, res) =>
      dispatch(methods, options, req, res),
    );
  }
  return router;
}

/** `/unread-count` must be asked before `/{id}`. */
function literalFirst(a: string, b: string): number {
  const rank = (path: string): string =>
    path.replace(/\{\*/g, '\u{10fffe}').replace(/\{/g, '\u{10fffd}');
  return rank(a) < rank(b) ? -1 : 1;
}

function expressPath(path: string): string {
  return path === ''
    ? '/'
    : path.replace(/\{(\*?)(\w+)\}/g, (_, star: string, name: string) =>
        star ? `*${name}` : `:${name}`,
      );
}

function dispatch(
  methods: Map<string, Route>,
  options: MountOptions,
  req: Request,
  res: Response,
): void {
  const route = methods.get(req.method === 'HEAD' ? 'GET' : req.method);
  if (route === undefined) {
    refuseMethod(methods, options, req, res);
    return;
  }
  void run(route, options, req, res).catch((error: unknown) => fail(options, req, res, error));
}

async function run(
  route: Route,
  options: MountOptions,
  req: Request,
  res: Response,
): Promise<void> {
  admit(route.endpoint, options, req);
  const call = await readInput(
    route.endpoint,
    req,
    res,
    (await route.uploadDirectory?.()) ?? options.uploadDirectory,
  );
  const result = await handled(route, call);
  const meaningOf = (error: unknown): unknown => meaningIn(options, req, error);
  await answer(route.endpoint, result, { req, res, streams: options.streams, meaningOf });
}

/** An upload is gone before its answer is sent. */
async function handled(route: Route, call: ReadCall): Promise<unknown> {
  try {
    return await route.handle(call as never);
  } finally {
    await call.discardUpload?.();
  }
}

/** A path that exists is worth a 405 only to those who may call it. */
function refuseMethod(
  methods: Map<string, Route>,
  options: MountOptions,
  req: Request,
  res: Response,
): void {
  const allowed = [...methods.keys()];
  const endpoint = methods.get(allowed[0] as string)?.endpoint as Endpoint;
  try {
    if (endpoint.access.kind !== 'ticket') admit(endpoint, options, req);
    const detail = msg('request.methodNotAllowed', { methods: allowed });
    sendProblem(res, new HostError('method-not-allowed', 'method_not_allowed', detail), {
      Allow: allowed.join(', '),
    });
  } catch (error) {
    fail(options, req, res, error);
  }
}

function refuseUnknown(options: MountOptions, req: Request, res: Response): void {
  try {
    const needsToken = req.path.startsWith('/api/') || req.path.startsWith('/actuator/');
    if (needsToken) admit({ access: { kind: 'token' } }, options, req);
    fail(options, req, res, options.unknownRoute());
  } catch (error) {
    fail(options, req, res, error);
  }
}

function fail(
  options: MountOptions,
  req: IncomingMessage,
  res: ServerResponse,
  error: unknown,
): void {
  // The work for a client that left was told to stop; nobody reads the answer.
  if (res.destroyed && isAbort(error)) return;
  sendProblem(res, meaningIn(options, req, error));
}

/** What an error means; one that nobody expected is logged and stays what it is. */
const meaningIn = (options: MountOptions, req: IncomingMessage, error: unknown): unknown =>
  asHostError(error) ?? options.onUnknownError(error, req) ?? error;

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';
