import { crdVersion } from '../names.ts';
import { defaultBodyLimitBytes, documentedPath, type Operation } from '../operations/operation.ts';
import { type OperationId, operationGroups, operationIds, operationOf } from '../operations/operations.ts';
import { examples } from './examples.ts';
import { parameters, parametersOf } from './parameters.ts';
import { errorResponses, headers, json, responsesOf } from './responses.ts';
import { componentSchemas, jsonSchemaOf } from './schemas.ts';

const description = `Builds, runs and stops blockchain networks, keeps their secrets, deploys tokens on them, submits
transactions to many of them at once, and records transactions on one network to replay them on another.

Networks and secrets are served directly and under /network; the Transaction API under /transaction; the Workspace
API under /workspace. Every failure is an Error object.`;

const securitySchemes = {
  apiKeyID: { type: 'apiKey', in: 'header', name: 'X-API-Key-ID', description: 'Id of the API key.' },
  apiKeySecret: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key-Secret',
    description: 'Secret of the API key, together with X-API-Key-ID.',
  },
  apiToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'API token: the id of the API key, a dot, and its secret.',
  },
};

const credentials = [{ apiKeyID: [], apiKeySecret: [] }, { apiToken: [] }];

/** The whole contract as an OpenAPI 3.1 document. Pure: the same table gives the same document. */
export function buildOpenApi() {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Slipway',
      version: crdVersion,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This installation.' }],
    tags: operationGroups.map((group) => ({ name: group.name, description: group.description })),
    security: credentials,
    paths: paths(),
    components: {
      securitySchemes,
      schemas: componentSchemas(),
      parameters,
      headers,
      responses: errorResponses(),
    },
  };
}

function paths(): Record<string, Record<string, unknown>> {
  const result: Record<string, Record<string, unknown>> = {};
  for (const id of operationIds) {
    const operation = operationOf(id);
    const path = documentedPath(operation);
    result[path] = { ...result[path], [operation.method.toLowerCase()]: operationObject(id, operation) };
  }
  return result;
}

function operationObject(id: OperationId, operation: Operation) {
  const { body, bodyLimitBytes = defaultBodyLimitBytes, permission, callerPermission } = operation;
  const example = examples[id];
  const limit = `At most ${bodyLimitBytes / 1024 / 1024} MiB.`;
  return {
    operationId: id,
    tags: [tagOf(id)],
    summary: operation.summary,
    description: [operation.description, permission && `Permission: ${permission}.`]
      .filter(Boolean)
      .join('\n\n'),
    ...(permission === '' ? { security: callerPermission ? [{}, ...credentials] : [] } : {}),
    parameters: parametersOf(operation),
    ...(body
      ? {
          requestBody: {
            required: true,
            description: limit,
            content: json(jsonSchemaOf(body), example?.request),
          },
        }
      : {}),
    responses: responsesOf(operation, example?.response),
  };
}

function tagOf(id: OperationId): string {
  return operationGroups.find((group) => id in group.operations)?.name ?? '';
}
