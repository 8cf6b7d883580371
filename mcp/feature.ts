import type { Tool } from './tool.ts';

/** What a feature adds to the tools of agents. It is exported as `feature` by the mcp/feature.ts of its folder. */
export interface McpFeature {
  tools: readonly Tool[];
}
