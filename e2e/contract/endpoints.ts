import { compact } from '../../core/lib/compact.ts';
import { type Sent, unknownId, type World } from './world.ts';

/** The endpoint tables of the specification: each status that an endpoint returns, and what causes it. */
export interface EndpointRow {
  method: string;
  path: string;
  status: number;
  why: string;
  request: (world: World) => Partial<Sent>;
  /** The name under which the id in the response is stored for later rows. */
  keep?: string;
}

type Request = EndpointRow['request'];
const bySelector = (selector: string) => `?selector=${encodeURIComponent(selector)}`;
const nothing: Request = () => ({});
const on =
  (method: string, path: string) =>
  (status: number, why: string, request: Request = nothing, keep?: string): EndpointRow => ({
    method,
    path,
    status,
    why,
    request,
    ...compact({ keep }),
  });

const networks = '/v1alpha/networks';
const secrets = '/v1alpha/secrets';
const tx = '/v1alpha1/transaction';
const unknownObject: Request = () => ({ params: { id: unknownId, token_id: unknownId } });
const unknownWorkspace: Request = () => ({ headers: { 'X-Workspace-ID': 'nowhere' } });
const chain = (more: object = {}) => ({
  type: 'Ethereum',
  ethereum: { privateKeyRef: { name: 'hot' }, ...more },
});
const theNetwork: Request = ({ ids }) => ({ params: { id: ids.network ?? unknownId } });
/** The hot key of the network under test. */
export const hotKey = Buffer.alloc(32, 5);
const key = hotKey.toString('base64');

export const secretRows: EndpointRow[] = [
  on('POST', secrets)(
    201,
    'a valid body',
    () => ({ body: { name: 'hot', type: 'private-key', data: key } }),
    'secret',
  ),
  on('POST', secrets)(201, 'another', () => ({ body: { name: 'note', type: 'note', data: 'aGk=' } }), 'note'),
  on('POST', secrets)(400, 'no data', () => ({ body: { name: 'x', type: 'note' } })),
  on('GET', secrets)(200, 'a request by a member'),
  on('GET', secrets)(404, 'no such workspace', unknownWorkspace),
  on('GET', `${secrets}/{id}`)(200, 'it exists', ({ ids }) => ({
    params: { id: ids.secret ?? unknownId },
  })),
  on('GET', `${secrets}/{id}`)(404, 'no such secret', unknownObject),
  on('DELETE', `${secrets}/{id}`)(404, 'no such secret', unknownObject),
  on('DELETE', `${secrets}/{id}`)(200, 'it is not in use', ({ ids }) => ({
    params: { id: ids.note ?? unknownId },
  })),
];

export const networkRows: EndpointRow[] = [
  on('POST', networks)(
    201,
    'a valid body',
    () => ({ body: { name: 'walked', spec: { chain: chain() } } }),
    'network',
  ),
  on('POST', networks)(400, 'no chain', () => ({ body: { name: 'x', spec: {} } })),
  on('GET', networks)(200, 'a request by a member'),
  on('GET', networks)(200, 'a page of one', () => ({ query: '?limit=1' })),
  on('GET', networks)(400, 'an invalid cursor', () => ({ query: '?cursor=x' })),
  on('GET', networks)(400, 'a field that is not selectable', () => ({ query: bySelector('name == x') })),
  on('GET', networks)(404, 'no such workspace', unknownWorkspace),
  on('GET', `${networks}/{id}`)(200, 'it exists', theNetwork),
  on('GET', `${networks}/{id}`)(404, 'no such network', unknownObject),
  on('GET', `${networks}/{id}/endpoints`)(200, 'it exists', theNetwork),
  on('GET', `${networks}/{id}/endpoints`)(404, 'no such network', unknownObject),
  on('PUT', `${networks}/{id}`)(200, 'the whole spec', (world) => ({
    ...theNetwork(world),
    body: { spec: { chain: chain() } },
  })),
  on('PUT', `${networks}/{id}`)(400, 'a required field is missing', (world) => ({
    ...theNetwork(world),
    body: { spec: {} },
  })),
  on('PUT', `${networks}/{id}`)(404, 'no such network', () => ({ body: { spec: { chain: chain() } } })),
  on('PUT', `${networks}/{id}`)(409, 'an outdated revision', (world) => ({
    ...theNetwork(world),
    body: { metadata: { rev: 77 }, spec: { chain: chain() } },
  })),
  on('DELETE', `${secrets}/{id}`)(409, 'a network refers to it', ({ ids }) => ({
    params: { id: ids.secret ?? unknownId },
  })),
];

const wallet = (world: World) => ({
  userAddress: world.address,
  networkIds: [world.ids.network ?? unknownId],
});
const theRecording: Request = ({ ids }) => ({ params: { id: ids.recording ?? unknownId } });
const byRecording =
  (id: string | undefined): Request =>
  () => ({ body: { recordingId: id ?? unknownId } });

export const recordingRows: EndpointRow[] = [
  on('POST', `${tx}/submit`)(202, 'a transfer', (world) => ({
    body: {
      transactions_by_network: {
        [world.ids.network ?? unknownId]: [
          { from: world.address, to: world.address, value: '0', data: '0x' },
        ],
      },
    },
  })),
  on('POST', `${tx}/submit`)(400, 'no transactions', () => ({ body: { transactions_by_network: {} } })),
  on('POST', `${tx}/recording/start`)(201, 'a valid body', (world) => ({ body: wallet(world) }), 'recording'),
  on('POST', `${tx}/recording/start`)(400, 'no networks', () => ({
    body: { userAddress: '0x1', networkIds: [] },
  })),
  on('GET', `${tx}/recording/list-all`)(200, 'a request by a member'),
  on('GET', `${tx}/recording/list-all`)(200, 'with all filters', ({ address, ids }) => ({
    query: `?userAddress=${address}&state=recording&networkId=${ids.network}`,
  })),
  on('GET', `${tx}/recording/active/{userAddress}`)(200, 'a request by a member', ({ address }) => ({
    params: { userAddress: address },
  })),
  on('GET', `${tx}/recording/{id}`)(200, 'it exists', theRecording),
  on('GET', `${tx}/recording/{id}`)(404, 'no such recording', unknownObject),
  on('POST', `${tx}/recording/stop`)(200, 'it is running', ({ ids }) => ({
    body: { recordingId: ids.recording },
  })),
  on('POST', `${tx}/recording/stop`)(400, 'no id', () => ({ body: {} })),
  on('POST', `${tx}/recording/stop`)(404, 'no such recording', byRecording(undefined)),
  on('POST', `${tx}/recording/replay`)(200, 'a recording', ({ ids }) => ({
    body: { recordingId: ids.recording },
  })),
  on('POST', `${tx}/recording/replay`)(400, 'neither id nor document', () => ({ body: {} })),
  on('POST', `${tx}/recording/replay`)(404, 'no such recording', byRecording(undefined)),
];

const token = `${tx}/token`;
const theToken: Request = ({ ids }) => ({
  params: { token_id: ids.erc20 ?? unknownId, network_id: ids.network ?? unknownId },
});
const anAddress = `0x${'11'.repeat(20)}`;
const deployment = ({ ids }: World, args: object) => ({
  body: {
    name: 'Walk',
    symbol: 'WLK',
    deployments: [{ network_id: ids.network ?? unknownId, args: { total_supply: '1000', ...args } }],
  },
});
const deployRows = (path: string, args: object = {}): EndpointRow[] => [
  on('POST', `${token}/${path}/deploy`)(201, 'a valid body', (world) => deployment(world, args), path),
  on('POST', `${token}/${path}/deploy`)(400, 'no total supply', (world) =>
    deployment(world, { total_supply: undefined, ...args, initial_supply: undefined }),
  ),
];

export const tokenRows: EndpointRow[] = [
  ...deployRows('erc20'),
  ...deployRows('cct/lock-release'),
  ...deployRows('cct/burn-mint'),
  ...deployRows('erc3643', { compliance_registry: anAddress }),
  // The endpoint is checked on the chain: an address without code is rejected.
  on('POST', `${token}/oft/deploy`)(400, 'no endpoint', (world) => deployment(world, {})),
  on('GET', token)(200, 'a request by a member'),
  on('GET', token)(200, 'by type', () => ({ query: bySelector('type == ERC20') })),
  on('GET', token)(200, 'by name', () => ({ query: bySelector('name != Walk') })),
  on('GET', token)(200, 'by symbol', () => ({ query: bySelector('symbol IN (WLK, X)') })),
  on('GET', `${token}/{token_id}`)(200, 'it exists', theToken),
  on('GET', `${token}/{token_id}`)(404, 'no such token', unknownObject),
  on('POST', `${token}/{token_id}/add-deployments`)(400, 'no networks', (world) => ({
    ...theToken(world),
    body: { networks: [] },
  })),
  on('GET', `${token}/{token_id}/deployments`)(200, 'it exists', theToken),
  on('GET', `${token}/{token_id}/deployments/{network_id}`)(200, 'it exists', theToken),
  on('GET', `${token}/{token_id}/deployments/{network_id}`)(404, 'no such deployment', unknownObject),
  on('DELETE', `${token}/{token_id}/deployments/{network_id}`)(204, 'it exists', theToken),
  on('DELETE', `${token}/{token_id}/deployments/{network_id}`)(404, 'no such deployment', unknownObject),
  on('DELETE', `${token}/{token_id}`)(204, 'it exists', theToken),
  on('DELETE', `${token}/{token_id}`)(404, 'no such token', unknownObject),
  on('GET', `${tx}/token-types`)(200, 'a request by a member'),
  on('GET', `${tx}/health`)(200, 'an anonymous request'),
];

export const endRows: EndpointRow[] = [
  on('DELETE', `${networks}/{id}`)(404, 'no such network', unknownObject),
  on('DELETE', `${networks}/{id}`)(200, 'it exists', theNetwork),
];
