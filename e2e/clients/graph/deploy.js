// Builds the subgraph for a contract and deploys it, with the commands that its author would type.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const { NETWORK, ADDRESS, NAME, GRAPH_ADMIN_URL, IPFS_URL } = process.env;
const manifest = readFileSync('subgraph.template.yaml', 'utf8');
writeFileSync('subgraph.yaml', manifest.replace('NETWORK', NETWORK).replace('ADDRESS', ADDRESS));

const graph = (...args) => execFileSync('graph', args, { stdio: 'inherit' });
graph('codegen');
graph('create', '--node', GRAPH_ADMIN_URL, NAME);
graph('deploy', '--node', GRAPH_ADMIN_URL, '--ipfs', IPFS_URL, '--version-label', 'v1', NAME);
