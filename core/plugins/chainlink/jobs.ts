/** What jobs refer to on the chain. */
interface JobTarget {
  chainId: string;
  /** The node's account, which sends the transactions. */
  node: string;
  /** The Operator, or the feed. */
  contract: string;
}

export interface Job {
  /** The same on every network. Consumers name direct requests by it, as 32 digits without dashes. */
  externalJobId: string;
  name: string;
  toml(place: JobTarget): string;
}

/** The specId of a direct request, as text; a consumer passes its bytes. */
export const specIdOf = ({ externalJobId }: Pick<Job, 'externalJobId'>): string =>
  externalJobId.replaceAll('-', '');

const headOf = (
  type: string,
  { externalJobId, name }: Pick<Job, 'externalJobId' | 'name'>,
  chainId: string,
) =>
  `type = "${type}"
schemaVersion = 1
name = "${name}"
externalJobID = "${externalJobId}"
evmChainID = "${chainId}"
`;

const requestAbi =
  'OracleRequest(bytes32 indexed specId, address requester, bytes32 requestId, uint256 payment, ' +
  'address callbackAddr, bytes4 callbackFunctionId, uint256 cancelExpiration, uint256 dataVersion, bytes data)';
const fulfilAbi =
  'fulfillOracleRequest2(bytes32 requestId, uint256 payment, address callbackAddress, bytes4 callbackFunctionId, ' +
  'uint256 expiration, bytes calldata data)';
const fulfilData = [
  ['requestId', 'decode_log.requestId'],
  ['payment', 'decode_log.payment'],
  ['callbackAddress', 'decode_log.callbackAddr'],
  ['callbackFunctionId', 'decode_log.callbackFunctionId'],
  ['expiration', 'decode_log.cancelExpiration'],
  ['data', 'encode_data'],
];

/** JSON whose values are results of tasks, escaped for a string in the graph. */
const dataOf = (members: readonly (readonly string[])[]) =>
  `{${members.map(([name, value]) => `\\\\"${name}\\\\": $(${value})`).join(', ')}}`;

/**
 * A direct request whose answer is one uint256. `tasks` turns `decode_cbor`, the parameters of the request, into the result
 * of the task `answer`.
 */
function uint256Job(
  id: Pick<Job, 'externalJobId' | 'name'>,
  { tasks, order }: { tasks: readonly string[]; order: readonly string[] },
): Job {
  return {
    ...id,
    toml: ({
      chainId,
      node,
      contract,
    }) => `${headOf('directrequest', id, chainId)}contractAddress = "${contract}"
minIncomingConfirmations = 1
minContractPaymentLinkJuels = "0"
observationSource = """
decode_log [type="ethabidecodelog" abi="${requestAbi}" data="$(jobRun.logData)" topics="$(jobRun.logTopics)"];
decode_cbor [type="cborparse" data="$(decode_log.data)"];
${tasks.join('\n')}
encode_data [type="ethabiencode" abi="(bytes32 requestId, uint256 value)" data="${dataOf([
      ['requestId', 'decode_log.requestId'],
      ['value', 'answer'],
    ])}"];
encode_tx [type="ethabiencode" abi="${fulfilAbi}" data="${dataOf(fulfilData)}"];
submit_tx [type="ethtx" from="[\\\\"${node}\\\\"]" to="${contract}" data="$(encode_tx)" minConfirmations="0"];
${['decode_log', 'decode_cbor', ...order, 'encode_data', 'encode_tx', 'submit_tx'].join(' -> ')};
"""
`,
  };
}

/**
 * The job of Chainlink's own examples, under the id that it has on public test networks: a number from a JSON document.
 * The node refuses URLs of private addresses here, because anyone can send a request.
 */
export const getUint256 = uint256Job(
  { externalJobId: 'ca98366c-c731-4957-b8c0-12c72f05aeeb', name: 'get-uint256' },
  {
    tasks: [
      'fetch [type="http" method=GET url="$(decode_cbor.get)"];',
      'parse [type="jsonparse" path="$(decode_cbor.path)" data="$(fetch)"];',
      'answer [type="multiply" input="$(parse)" times="$(decode_cbor.times)"];',
    ],
    order: ['fetch', 'parse', 'answer'],
  },
);

/** Answers with `value` of the request times `times`, for networks that reach no other service. */
export const echoUint256 = uint256Job(
  { externalJobId: 'd6a491f9-d0d0-4525-a29f-a5fef9a4084b', name: 'echo-uint256' },
  {
    tasks: ['answer [type="multiply" input="$(decode_cbor.value)" times="$(decode_cbor.times)"];'],
    order: ['answer'],
  },
);

export interface Feed {
  decimals: number;
  description: string;
  /** The answer until somebody changes the job, with the feed's decimals. */
  answer: bigint;
}

/** Keeps a feed up to date with an answer that its own text says: a network for development has no source of prices. */
function feedJob(id: Pick<Job, 'externalJobId' | 'name'>, { answer }: Feed): Job {
  return {
    ...id,
    toml: ({
      chainId,
      node,
      contract,
    }) => `${headOf('cron', id, chainId)}schedule = "CRON_TZ=UTC 0 */5 * * * *"
observationSource = """
encode_tx [type="ethabiencode" abi="updateAnswer(int256 answer)" data="{\\\\"answer\\\\": ${answer}}"];
submit_tx [type="ethtx" from="[\\\\"${node}\\\\"]" to="${contract}" data="$(encode_tx)" minConfirmations="0"];
encode_tx -> submit_tx;
"""
`,
  };
}

export const ethUsd: Feed = { decimals: 8, description: 'ETH / USD', answer: 2_500n * 10n ** 8n };
export const linkEth: Feed = { decimals: 18, description: 'LINK / ETH', answer: 6n * 10n ** 15n };

export const ethUsdJob = feedJob(
  { externalJobId: 'd8fc8589-2755-4b97-be19-969be7386690', name: 'feed-eth-usd' },
  ethUsd,
);
export const linkEthJob = feedJob(
  { externalJobId: '7913bbb2-0b1c-48dd-b4dc-06bfca6fac9c', name: 'feed-link-eth' },
  linkEth,
);
