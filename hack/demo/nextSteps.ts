import { workspaceNamespace } from '../up/names.ts';

interface DemoFacts {
  networkId: string;
  networkName: string;
  rpcUrl: string;
  /** The funded account. */
  address: string;
}

/** Commands that the user can paste next. */
export function nextStepsText({ networkId, networkName, rpcUrl, address }: DemoFacts): string {
  return `
Next steps
  . .slipway/env

  # a link that signs in to the console
  .slipway/bin/slipway console
  # the command line, signed in
  .slipway/bin/slipway network list

  # REST
  curl -H "Authorization: Bearer $SLIPWAY_API_KEY" $SLIPWAY_URL/v1alpha/networks/${networkId}

  # the chain
  curl -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}' ${rpcUrl}
  npx cast balance --ether ${address} --rpc-url ${rpcUrl}

  # Kubernetes
  .slipway/bin/kubectl -n ${workspaceNamespace} get bnet
  .slipway/bin/kubectl -n ${workspaceNamespace} describe bnet ${networkName}
  .slipway/bin/kubectl apply -f docs/examples/network-private-key.yaml

  # ethers
  import { JsonRpcProvider } from 'ethers';
  const provider = new JsonRpcProvider('${rpcUrl}');
  console.log(await provider.getBlockNumber());

  make status   make logs   make test   make down`;
}
