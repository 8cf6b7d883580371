import type { Client } from '../sdk/src/client.ts';
import type { ChainReads } from './chain.ts';
import type { Tool, ToolContext } from './tool.ts';

/** What a feature adds to the tools of agents. It is exported as `feature` by the mcp/feature.ts of its folder. */
export interface McpFeature {
  tools: readonly Tool[];
  /** The address that has this name in the workspace; undefined if none has. */
  addressNamed?(context: Pick<ToolContext, 'client' | 'signal'>, name: string): Promise<string | undefined>;
  chainOf?(client: Client): ChainReads;
}
