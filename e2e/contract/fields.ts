/** The field tables of the specification: object and fields; "!" marks required fields, dots separate nested ones. */
export const fieldRows: [string, string][] = [
  ['ObjectMeta', 'rev createdAt updatedAt ownerID name'],
  ['ListMeta', 'cursor'],
  ['Error', 'kind reason message requestId details'],
  ['Network', 'kind version name ownerID metadata spec status spec.persistent spec.chain! spec.chain.type!'],
  ['Network', 'spec.maintenanceRequest.action spec.maintenanceRequest.nonce'],
  ['Network', 'spec.chain.ethereum spec.chain.arbitrum spec.chain.optimism spec.chain.base spec.chain.bnb'],
  ['Network', 'spec.chain.avalanche spec.chain.fantom spec.chain.mantle spec.chain.zksync spec.chain.solana'],
  ['Network', 'spec.chain.layerzero spec.chain.thorchain spec.chain.polygon'],
  ['Network', 'status.enclaveID status.state status.message status.chainSpecHash status.lastStoppedAt'],
  ['Network', 'status.execution.output status.execution.currentStep status.execution.totalSteps'],
  ['Network', 'status.observedMaintenanceNonce status.lastActivityAt status.lastWakeUpAt'],
  [
    'EthereumSpec',
    'packageVersion chainID blockTime gasLimit churnLimitQuotient ejectionBalance followDistance',
  ],
  ['EthereumSpec', 'minWithdrawalDelay shardCommitteePeriod validatorCount mnemonicRef privateKeyRef!'],
  ['EthereumSpec', 'forking.enabled forking.blockHeight participants plugins.vrf.type'],
  ['EthereumSpec', 'plugins.chainlink plugins.uniswap plugins.graph plugins.vrf plugins.dfns'],
  ['EthereumParticipantSpec', 'elType elImage elExtraArgs clType clImage clExtraArgs count'],
  ['Layer2Spec', 'chainID privateKeyRef forking.enabled forking.blockHeight'],
  ['Layer2Spec', 'plugins.chainlink plugins.graph plugins.vrf plugins.vrf.type plugins.dfns'],
  ['SolanaSpec', 'chainID privateKeyRef forking.enabled forking.blockHeight'],
  ['ThorchainSpec', 'chainID privateKeyRef accountBalance bondAmount image blockMaxBytes blockMaxGas'],
  ['ThorchainSpec', 'forking.enabled forking.blockHeight'],
  ['LayerZeroSpec', 'networks connections'],
  ['LocalObjectReference', 'name!'],
  ['NetworkList', 'items! metadata'],
  ['EndpointSet', 'metadata map!'],
  ['Secret', 'metadata type! data'],
  ['SecretList', 'items! metadata'],
  [
    'Token',
    'kind version id! user_id! name! symbol! decimals! total_supply! type! spec created_at updated_at',
  ],
  ['Token', 'deployments'],
  ['Deployment', 'id! token_id! network_id! token_address! args extra_addresses deployment_tx deployed_at'],
  ['TokenList', 'kind items! metadata'],
  ['DeploymentList', 'kind items! metadata'],
  ['TransactionItem', 'from to value! data gas_limit max_fee_per_gas max_priority_fee_per_gas'],
  ['Recording', 'id user_address network_ids start_timestamp end_timestamp state recorded_data created_at'],
  ['SubmitResponse', 'tx_hashes_by_network'],
  ['RecordingStarted', 'recordingId message'],
  ['ReplayRequest', 'recordingId replayDocument networkMapping'],
  ['ReplayResponse', 'success transactions networks totalTransactions appliedNetworkMapping'],
  ['Health', 'status'],
];

/** The allowed values in the specification: object, field, values. */
export const valueRows: [string, string, string][] = [
  ['Network', 'spec.maintenanceRequest.action', 'Restart ResetState Resync'],
  [
    ...(['Network', 'spec.chain.type'] as const),
    'Ethereum Arbitrum Optimism Base BNB Avalanche Fantom Mantle ZKSync Solana LayerZero Thorchain',
  ],
  ['Network', 'status.state', 'Pending Operational Stopping Stopped Error'],
  ['EthereumSpec', 'plugins.vrf.type', 'vrfv2plus mpc'],
  ['EthereumParticipantSpec', 'elType', 'geth reth nethermind erigon besu'],
  ['EthereumParticipantSpec', 'clType', 'lighthouse teku nimbus lodestar grandine prysm'],
  ['Token', 'type', 'ERC20 ERC3643 CCT OFT'],
  ['Recording', 'state', 'recording recorded'],
];

interface JsonSchema {
  $ref?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  enum?: string[];
  const?: string;
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
}

/** A field's schema in the OpenAPI document; undefined when it is not documented. */
export function findField(
  schemas: Record<string, JsonSchema>,
  object: string,
  path: string,
): { schema: JsonSchema; isRequired: boolean } | undefined {
  const resolve = (schema: JsonSchema = {}): JsonSchema => {
    if (schema.$ref) return resolve(schemas[schema.$ref.split('/').at(-1) ?? '']);
    const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? [])];
    return parts.length === 0 ? schema : { ...schema, ...Object.assign({}, ...parts.map(resolve)) };
  };
  let schema = resolve(schemas[object]);
  let isRequired = false;
  for (const name of path.split('.')) {
    const next = schema.properties?.[name];
    if (!next) return undefined;
    isRequired = schema.required?.includes(name) ?? false;
    schema = resolve(next);
  }
  return { schema, isRequired };
}

/** The values that a schema allows. */
export function valuesOf(schema: JsonSchema): string[] {
  return schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
}
