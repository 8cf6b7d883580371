import type { z } from 'zod';
import type { ResourceType } from './kubeObject.ts';

export interface Column {
  name: string;
  type: 'string' | 'integer' | 'boolean' | 'date';
  jsonPath: string;
  description?: string;
  /** 1: only with `kubectl get -o wide`. */
  priority?: number;
}

/** What a custom resource definition contains besides its schema. */
export interface Definition {
  type: ResourceType;
  description: string;
  shortName: string;
  spec: z.ZodType;
  status?: z.ZodType;
  columns: Column[];
  selectable: string[];
  /** The category that `kubectl get` accepts instead of a kind; `slipway` when absent. */
  category?: string;
  /** The format of its names; an RFC 1123 label when absent. */
  name?: z.ZodType;
}

export const age: Column = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

export function text(name: string, jsonPath: string, description: string): Column {
  return { name, type: 'string', jsonPath, description };
}
