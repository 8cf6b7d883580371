import type { NetworkCreate } from '../../../../sdk/src/generated/types.ts';
import { labelsOf } from '../../forms/labels.ts';
import { numberMember } from '../../forms/number.ts';
import { type ChainType, isEvm, memberOf } from '../../lib/chains.ts';

/** What the form has, as it was typed. */
export interface NetworkForm {
  name: string;
  type: ChainType;
  /** Name of a secret; `new` for one that is created along, `none` for no key. */
  key: { mode: 'new' } | { mode: 'none' } | { mode: 'existing'; name: string };
  profile: '' | 'light' | 'real';
  chainID: string;
  blockTime: string;
  gasLimit: string;
  history: string;
  hasDevelopmentAccounts: boolean;
  isFork: boolean;
  forkBlock: string;
  plugins: string[];
  hasClients: boolean;
  elType: string;
  clType: string;
  count: string;
  members: string[];
  accountBalance: string;
  bondAmount: string;
  from: string;
  isPersistent: boolean;
  idleAfter: string;
  expiresAfter: string;
  labels: string;
}

export const emptyForm: NetworkForm = {
  name: '',
  type: 'Ethereum',
  key: { mode: 'new' },
  profile: '',
  chainID: '',
  blockTime: '',
  gasLimit: '',
  history: '',
  hasDevelopmentAccounts: false,
  isFork: false,
  forkBlock: 'latest',
  plugins: [],
  hasClients: false,
  elType: 'geth',
  clType: 'lighthouse',
  count: '1',
  members: [],
  accountBalance: '',
  bondAmount: '',
  from: '',
  isPersistent: false,
  idleAfter: '',
  expiresAfter: '',
  labels: '',
};

/** Which settings a chain type has. */
export interface TypeFields {
  key: 'required' | 'optional' | 'none';
  profile: boolean;
  evm: boolean;
  fork: boolean;
  clients: boolean;
  members: boolean;
  thorchain: boolean;
  plugins: readonly string[];
}

const realClients: readonly string[] = ['Optimism', 'Base', 'Mantle', 'BNB', 'Solana'];
const evmPlugins = ['chainlink', 'graph', 'vrf', 'dfns'];

export function fieldsOf(type: ChainType): TypeFields {
  const evm = isEvm(type);
  return {
    key: type === 'Ethereum' ? 'required' : type === 'LayerZero' ? 'none' : 'optional',
    profile: realClients.includes(type),
    evm,
    fork: type !== 'LayerZero',
    clients: type === 'Ethereum',
    members: type === 'LayerZero',
    thorchain: type === 'Thorchain',
    plugins: evm ? (type === 'Ethereum' ? [...evmPlugins, 'uniswap'] : evmPlugins) : [],
  };
}

/** The key that a type begins with: EVM networks are of little use without funds. */
export function keyFor(type: ChainType): NetworkForm['key'] {
  return isEvm(type) ? { mode: 'new' } : { mode: 'none' };
}

/** Name of the secret that is created along with a network. */
export const newKeyName = (network: string) => `${network}-key`;

/** The request body of a form. What is empty is left out, and what the type does not have. */
export function toBody(form: NetworkForm): NetworkCreate {
  const labels = labelsOf(form.labels);
  const spec = {
    ...text({ idleAfter: form.idleAfter, expiresAfter: form.expiresAfter }),
    ...(form.isPersistent ? { persistent: true } : {}),
    ...(form.from && fieldsOf(form.type).evm ? { from: { snapshot: form.from } } : {}),
    chain: { type: form.type, [memberOf(form.type)]: chainOf(form) },
  };
  return { ...text({ name: form.name }), ...(labels ? { metadata: { labels } } : {}), spec };
}

function chainOf(form: NetworkForm): object {
  const has = fieldsOf(form.type);
  if (has.members) return { networks: form.members.map((name) => ({ networkRef: { name } })) };
  const key = keyNameOf(form);
  return {
    ...text({ chainID: form.chainID }),
    ...(has.profile ? text({ profile: form.profile }) : {}),
    ...(has.evm ? evmSettingsOf(form) : {}),
    ...(has.thorchain ? text({ accountBalance: form.accountBalance, bondAmount: form.bondAmount }) : {}),
    ...(key ? { privateKeyRef: { name: key } } : {}),
    ...(form.isFork && has.fork
      ? { forking: { enabled: true, ...text({ blockHeight: form.forkBlock }) } }
      : {}),
    ...(form.hasClients && has.clients ? { participants: [participantOf(form)] } : {}),
    ...pluginsOf(form, has),
  };
}

const evmSettingsOf = ({ blockTime, gasLimit, history, hasDevelopmentAccounts }: NetworkForm) => ({
  ...(hasDevelopmentAccounts ? { developmentAccounts: true } : {}),
  ...numberMember('blockTime', blockTime),
  ...numberMember('gasLimit', gasLimit),
  ...numberMember('history', history),
});

function keyNameOf({ key, name, type }: NetworkForm): string | undefined {
  if (fieldsOf(type).key === 'none' || key.mode === 'none') return undefined;
  return key.mode === 'new' ? newKeyName(name.trim()) : key.name;
}

const participantOf = ({ elType, clType, count }: NetworkForm) => ({
  elType,
  clType,
  ...numberMember('count', count),
});

function pluginsOf({ plugins }: NetworkForm, has: TypeFields): object {
  const chosen = plugins.filter((name) => has.plugins.includes(name));
  return chosen.length > 0 ? { plugins: Object.fromEntries(chosen.map((name) => [name, {}])) } : {};
}

/** Members whose texts are not empty. */
function text<T extends Record<string, string>>(members: T): Partial<T> {
  const given = Object.entries(members).map(([name, value]) => [name, value.trim()]);
  return Object.fromEntries(given.filter(([, value]) => value !== '')) as Partial<T>;
}
