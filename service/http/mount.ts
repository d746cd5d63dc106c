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

/** Routes of a server, with the limits and listeners around them. */
export interface MountOptions extends Admission {
  routes: readonly Route[];
  /** `name:port` each: accepted Host headers besides the names of the loopback address. */
  allowedHosts?: readonly string[];
  /** The port of the server, known once it listens. */
  port: () => number;
  /** Folder of received uploads, unless a route has its own. */
  uploadDirectory: string;
  streams: OpenStreams;
  /** Called with every request before it is checked. */
  onRequest?: (req: IncomingMessage, res: ServerResponse) => void;
  /** Creates the error for an unknown `/api` path. */
  unknownRoute: () => HostError;
  /** Called with an unexpected error; may return its meaning for the client instead of a 500. */
  onUnknownError: (error: unknown, req: IncomingMessage) => HostError | undefined;
}

/**
 * Creates the request listener for a set of routes: gate, route, access, body, handler, in this
 * order.
 */
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

/** Routers with a few routes each are searched faster than a single one. */
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

/** `/unread-count` must be matched before `/{id}`. */
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

/** The upload is removed before the response is sent. */
async function handled(route: Route, call: ReadCall): Promise<unknown> {
  try {
    return await route.handle(call as never);
  } finally {
    await call.discardUpload?.();
  }
}

/** Only clients that may call an existing path learn that it has other methods (405). */
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
  // The client disconnected, which aborted the work; no response is needed.
  if (res.destroyed && isAbort(error)) return;
  sendProblem(res, meaningIn(options, req, error));
}

/** Maps an error for the client; an unexpected one is logged and returned unchanged. */
const meaningIn = (options: MountOptions, req: IncomingMessage, error: unknown): unknown =>
  asHostError(error) ?? options.onUnknownError(error, req) ?? error;

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';
