import { operationGroups } from '../../core/api/operations/operations.ts';

/** What a language model needs to know before it uses an installation (llmstxt.org). */
export function llmsText(): string {
  const groups = operationGroups.map(
    ({ name, description, operations }) => `- ${name}: ${description} ${Object.keys(operations).join(', ')}`,
  );
  return `# Slipway

> Slipway runs blockchain networks for development and tests on Kubernetes: EVM chains, Solana, Thorchain and LayerZero networks. It keeps their
> secrets, deploys tokens, signs and sends transactions exactly once, records what happened on a network and replays it on another one.

Every request needs an API key, as "Authorization: Bearer <id>.<secret>". A network has one of the states Pending, Operational, Stopping,
Stopped and Error. GET of one network or a call to its URL starts a stopped network; lists do not. Transactions that are submitted
through the API are signed with the caller's key: no private key is needed.

## Tools and descriptions

- [MCP server](/mcp): tools of the Model Context Protocol over streamable HTTP, with the permissions of the API key. "slipway mcp" serves the
  same ones on standard input and output.
- [OpenAPI](/openapi.json): every operation with its schemas and examples
- [API reference](/docs): the same for people

## Guide

- [Documentation](/guide/): all pages, with a search
- [Using networks](/guide/networks): what a network is, its URLs and accounts
- [Tests](/guide/testing): a network for each run of Foundry, Hardhat or Jest
- [The light engine](/guide/light-engine): how it differs from geth
- [Command line](/guide/cli), [SDK](/guide/sdk), [agents](/guide/agents), [events](/guide/events), [REST](/guide/api)
- [Behaviour](/guide/behaviour): what the service does in corner cases

## Operations

${groups.join('\n')}
`;
}
