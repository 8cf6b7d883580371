import { compact } from '../../lib/compact.ts';
import {
  defaultBodyLimitBytes,
  documentedPath,
  errorStatuses,
  type Operation,
} from '../operations/operation.ts';
import { type OperationId, operationGroups, operationOf } from '../operations/operations.ts';
import { examples } from './examples.ts';
import { type FieldRow, fieldRows, schemaNameIn, typeText } from './fieldRows.ts';
import { meaningOf, reasonOf } from './responses.ts';
import { componentSchemas, jsonSchemaOf } from './schemas.ts';

/** A value in a request or response: its type as text, and its named schema. */
export interface ValueEntry {
  type: string;
  schemaName?: string;
}

export interface OperationEntry {
  id: OperationId;
  method: string;
  path: string;
  summary: string;
  description: string;
  permission: string;
  parameters: (FieldRow & { place: 'path' | 'query' })[];
  selectable: readonly string[];
  body?: ValueEntry & { limitMiB: number; example?: unknown };
  success: { status: number; description: string; value?: ValueEntry };
  errors: { status: number; reason: string; meaning: string }[];
}

export interface SchemaEntry {
  name: string;
  description: string;
  rows: FieldRow[];
}

export interface Reference {
  groups: { name: string; description: string; operations: OperationEntry[] }[];
  schemas: SchemaEntry[];
}

/** The contract as the source of both human-readable references: docs/api.md and the page at /docs. */
export function buildReference(): Reference {
  const groups = operationGroups.map(({ name, description, operations }) => ({
    name,
    description,
    operations: (Object.keys(operations) as OperationId[]).map((id) => operationEntry(id, operationOf(id))),
  }));
  const schemas = Object.entries(componentSchemas()).map(([name, schema]) => ({
    name,
    description: String(schema.description ?? ''),
    rows: fieldRows(schema),
  }));
  return { groups, schemas };
}

function operationEntry(id: OperationId, operation: Operation): OperationEntry {
  const { method, summary, description = '', permission, selectable = [] } = operation;
  const body = bodyEntry(id, operation);
  return {
    id,
    method,
    path: documentedPath(operation),
    summary,
    description,
    permission,
    parameters: [...rowsOf(operation.params, 'path'), ...rowsOf(operation.query, 'query')],
    selectable,
    ...compact({ body }),
    success: successEntry(operation),
    errors: errorStatuses(operation).map((status) => ({
      status,
      reason: reasonOf(status),
      meaning: meaningOf(status),
    })),
  };
}

function rowsOf<Place extends 'path' | 'query'>(schema: Operation['params'], place: Place) {
  return schema ? fieldRows(jsonSchemaOf(schema)).map((row) => ({ ...row, place })) : [];
}

function bodyEntry(id: OperationId, { body, bodyLimitBytes = defaultBodyLimitBytes }: Operation) {
  if (!body) return undefined;
  return {
    ...valueEntry(body),
    limitMiB: bodyLimitBytes / 1024 / 1024,
    example: examples[id]?.request,
  };
}

function successEntry({ success: { status, description, schema } }: Operation): OperationEntry['success'] {
  return schema ? { status, description, value: valueEntry(schema) } : { status, description };
}

function valueEntry(schema: NonNullable<Operation['body']>): ValueEntry {
  const json = jsonSchemaOf(schema);
  const schemaName = schemaNameIn(json);
  return { type: typeText(json), ...compact({ schemaName }) };
}
