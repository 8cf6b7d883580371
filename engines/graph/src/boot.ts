import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** gnd does not start without a subgraph. This one listens to an address that no contract has. */
const manifest = (network: string) => `specVersion: 1.3.0
schema: { file: ./schema.graphql }
dataSources:
  - kind: ethereum/contract
    name: Boot
    network: ${network}
    source: { address: "0x000000000000000000000000000000000000dEaD", abi: Boot, startBlock: 0 }
    mapping:
      kind: ethereum/events
      apiVersion: 0.0.9
      language: wasm/assemblyscript
      entities: [Nothing]
      abis: [{ name: Boot, file: ./boot.json }]
      eventHandlers: [{ event: Boot(), handler: handleBoot }]
      file: ./boot.wasm
`;
const schema = 'type Nothing @entity(immutable: true) { id: ID! }\n';
const abi = '[{"type":"event","name":"Boot","inputs":[],"anonymous":false}]\n';
/** The shortest WebAssembly module: its handler is never called. */
const emptyModule = Buffer.from('\0asm\x01\0\0\0', 'latin1');

/** Writes the subgraph below `folder` and returns the path of its manifest from there. */
export function writeBootSubgraph(folder: string, network: string): string {
  const files = {
    'subgraph.yaml': manifest(network),
    'schema.graphql': schema,
    'boot.json': abi,
    'boot.wasm': emptyModule,
  };
  for (const target of ['boot', 'boot/build']) {
    mkdirSync(join(folder, target), { recursive: true });
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, target, name), content);
  }
  return 'boot/subgraph.yaml';
}
