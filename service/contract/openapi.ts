import { z } from 'zod';
import type { Access, Endpoint, EventStream, Multipart } from './endpoint.ts';
import { api, hostVersion, tokenHeader } from './index.ts';
import { Problem } from './problem.ts';

type Json = Record<string, unknown>;

/** Returns the API as an OpenAPI 3.1 document, derived from the endpoints. */
export function describeApi(): Json {
  const paths: Record<string, Json> = {};
  for (const [tag, group] of Object.entries(api)) {
    for (const [name, endpoint] of Object.entries(group) as [string, Endpoint][]) {
      const path = endpoint.path.replace(/\{\*/g, '{');
      paths[path] = {
        ...paths[path],
        [endpoint.method.toLowerCase()]: operationOf(tag, name, endpoint),
      };
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Plugin Host Service', version: hostVersion },
    paths,
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: tokenHeader },
        ticket: { type: 'apiKey', in: 'query', name: 'ticket' },
      },
      schemas: { Problem: schemaOf(Problem, 'output') },
    },
  };
}

function operationOf(tag: string, name: string, endpoint: Endpoint): Json {
  const problem = { $ref: '#/components/schemas/Problem' };
  const operation: Json = {
    operationId: `${tag}.${name}`,
    tags: [tag],
    summary: endpoint.summary,
    security: securityOf(endpoint.access),
    parameters: [
      ...parametersOf(endpoint.params, 'path'),
      ...parametersOf(endpoint.query, 'query'),
    ],
    responses: {
      [String(endpoint.status ?? (endpoint.reply ? 200 : 204))]: answerOf(endpoint),
      ...(endpoint.accepted ? { 202: accepted(endpoint.accepted) } : {}),
      default: {
        description: ['A problem', ...(endpoint.problems ?? [])].join(', '),
        content: { 'application/problem+json': { schema: problem } },
      },
    },
  };
  if (endpoint.body) operation['requestBody'] = { required: true, content: bodyOf(endpoint.body) };
  return operation;
}

function securityOf(access: Access): Json[] {
  if (access.kind === 'open' || access.kind === 'setup') return [];
  if (access.kind === 'ticket')
    return access.orToken ? [{ ticket: [] }, { token: [] }] : [{ ticket: [] }];
  return access.kind === 'setup-or-token' ? [{}, { token: [] }] : [{ token: [] }];
}

function parametersOf(schema: z.ZodType | undefined, location: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Json;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    schema: property,
  }));
}

function bodyOf(body: z.ZodType | Multipart): Json {
  if (!('kind' in body)) return { 'application/json': { schema: schemaOf(body, 'input') } };
  const fields = schemaOf(body.fields, 'input') as { properties?: Json };
  const file = { type: 'string', contentMediaType: 'application/octet-stream' };
  const schema = {
    type: 'object',
    properties: {
      ...fields.properties,
      [body.file]: body.many ? { type: 'array', items: file } : file,
    },
    required: [body.file],
  };
  return {
    'multipart/form-data': { schema },
    ...(body.orJson ? { 'application/json': { schema: schemaOf(body.fields, 'input') } } : {}),
  };
}

const accepted = (schema: z.ZodType): Json => ({
  description: 'It goes on; asked for with `Prefer: respond-async`',
  content: { 'application/json': { schema: schemaOf(schema, 'output') } },
});

function answerOf(endpoint: Endpoint): Json {
  const { reply, stream } = endpoint;
  if (!reply) return { description: 'Done' };
  if ('kind' in reply && reply.kind === 'events') {
    return { description: 'Server-sent events, by name of the event', content: eventsIn(reply) };
  }
  if ('kind' in reply && reply.kind === 'bytes') {
    const schema = { type: 'string', contentMediaType: reply.contentType };
    return { description: 'Done', content: { [reply.contentType]: { schema } } };
  }
  return {
    description: 'Done',
    content: {
      'application/json': { schema: schemaOf(reply, 'output') },
      ...(stream ? eventsIn(stream) : {}),
    },
  };
}

function eventsIn({ events }: EventStream): Json {
  const properties = Object.entries(events).map(([name, data]) => [name, schemaOf(data, 'output')]);
  const schema = { type: 'object', properties: Object.fromEntries(properties) as Json };
  return { 'text/event-stream': { schema } };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return json;
}
