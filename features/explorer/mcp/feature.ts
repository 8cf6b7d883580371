import type { McpFeature } from '../../../mcp/feature.ts';
import { chainOf } from './chainOf.ts';
import { tools } from './tools.ts';

export const feature: McpFeature = { tools, chainOf };
