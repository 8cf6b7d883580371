import type { z } from 'zod';
import type { ChainClient } from './chain.ts';

/** What a tool works with: the permissions are those of the client's key. */
export interface ToolContext {
  client: ChainClient;
  signal: AbortSignal;
  /** The address that has this name in the workspace; undefined if none has. */
  addressNamed(name: string): Promise<string | undefined>;
}

/** Something that an agent can do. */
export interface Tool {
  name: string;
  title: string;
  /** For the model: what it does, and what to know before. */
  description: string;
  input: z.ZodObject;
  /** Whether it changes nothing. */
  isReadOnly?: boolean;
  /** Whether it may lose what is there. */
  isDestructive?: boolean;
  /** Whether the answer is a text for people: it is given as it is. */
  isText?: boolean;
  /** The answer, which is written as JSON. Its input has been checked. */
  run(context: ToolContext, input: unknown): Promise<unknown>;
}

interface Definition<Input extends z.ZodObject> extends Omit<Tool, 'input' | 'run'> {
  input: Input;
  run(context: ToolContext, input: z.output<Input>): Promise<unknown>;
}

/** A tool whose input has the type of its schema, and nothing else: a model that misspells a name must hear it. */
export function defineTool<Input extends z.ZodObject>({ run, input, ...rest }: Definition<Input>): Tool {
  return { ...rest, input: input.strict(), run: (context, given) => run(context, input.parse(given)) };
}
