import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Contract, ContractFactory, JsonRpcProvider, NonceManager, Wallet } from 'ethers';
import { runNodeProject } from '../lib/clientProjects.ts';

const artifact: { abi: string[]; bytecode: string } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', 'clients', 'graph', 'abis', 'Counter.json'), 'utf8'),
);

/** Where a subgraph is deployed and queried: the URLs of an EndpointSet, or local ones. */
export interface GraphUrls {
  graph: string;
  admin: string;
  ipfs: string;
  status: string;
}

export interface Counter {
  address: string;
  /** Increments it; resolves with the number of the block. */
  increment(): Promise<number>;
}

/** The contract that the subgraph follows, deployed with a funded key. */
export async function deployCounter(rpcUrl: string, privateKey: string): Promise<Counter> {
  const provider = new JsonRpcProvider(rpcUrl, undefined, { cacheTimeout: -1 });
  const signer = new NonceManager(new Wallet(privateKey, provider));
  const deployed = await new ContractFactory(artifact.abi, artifact.bytecode, signer).deploy();
  await deployed.waitForDeployment();
  const address = await deployed.getAddress();
  const contract = new Contract(address, artifact.abi, signer);
  return {
    address,
    async increment() {
      const sent = await contract.getFunction('increment')();
      return (await sent.wait()).blockNumber;
    },
  };
}

/** Builds and deploys the project in e2e/clients/graph with its own graph-cli, under `name`. */
export async function deploySubgraph(
  urls: GraphUrls,
  facts: { network: string; address: string; name: string },
) {
  await runNodeProject('graph', ['node', 'deploy.js'], {
    GRAPH_ADMIN_URL: urls.admin,
    IPFS_URL: urls.ipfs,
    NETWORK: facts.network,
    ADDRESS: facts.address,
    NAME: facts.name,
  });
}

interface GraphqlAnswer {
  data?: Record<string, unknown>;
  errors?: { message: string }[];
}

export async function queryGraph(url: string, query: string): Promise<GraphqlAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return (await response.json()) as GraphqlAnswer;
}

const clicksQuery = '{ clicks(orderBy: count) { count block counterName } clickers { clicks } }';

/** The clicks of a subgraph, by their count; undefined when it answers with an error, as one that was never deployed. */
export async function clicksOf(urls: GraphUrls, name: string): Promise<unknown[] | undefined> {
  const { data } = await queryGraph(`${urls.graph.replace(/\/$/, '')}/subgraphs/name/${name}`, clicksQuery);
  return data?.clicks as unknown[] | undefined;
}

const clicksLimitMs = 60_000;

/** The clicks once there are as many. */
export async function untilClicks(urls: GraphUrls, name: string, wanted: number): Promise<unknown[]> {
  let clicks: unknown[] | undefined;
  for (const end = Date.now() + clicksLimitMs; Date.now() < end; await wait(200)) {
    clicks = await clicksOf(urls, name).catch(() => undefined);
    if (clicks?.length === wanted) return clicks;
  }
  throw new Error(`${name} has ${JSON.stringify(clicks)}, not ${wanted} clicks`);
}
