import { useAddressName } from '../../../../../console/src/parts/useAddressName.ts';
import { useFeature } from '../../../../../console/src/parts/useFeature.ts';
import { Card } from '../../../../../console/src/ui/Card.tsx';
import { inUnits, whole } from '../../amounts.ts';
import { useChain, useLiveChain } from '../../context.tsx';
import styles from '../../explorer.module.css';
import { quantityAt, textAt } from '../../fields.ts';
import { Loaded } from '../../parts/Loaded.tsx';
import { Full, ShortLink, TargetLink } from '../../parts/links.tsx';
import { Rows } from '../../parts/Rows.tsx';
import { type ProxyContract, proxiesAmong, proxySlots } from '../../proxies.ts';
import type { NamedContract, Reader } from '../../reader.ts';
import { texts } from '../../texts.ts';
import { delegateOf } from '../model.ts';
import { useCoins } from '../useCoins.ts';
import { Sections } from './Sections.tsx';

interface Account {
  balance: bigint;
  nonce: bigint;
  code: string;
  /** Changes when calls of the contract go elsewhere. */
  proxyState: string;
}

async function readAccount(reader: Reader, address: string): Promise<Account> {
  const answers = await reader.ask([
    ['eth_getBalance', address, 'latest'],
    ['eth_getTransactionCount', address, 'latest'],
    ['eth_getCode', address, 'latest'],
    ...proxySlots.map((slot) => ['eth_getStorageAt', address, slot, 'latest'] as const),
  ]);
  const failed = answers.find(({ error }) => error);
  if (failed?.error) throw new Error(failed.error.message);
  const [balance, nonce, code, ...words] = answers;
  return {
    balance: quantityAt(balance, 'result') ?? 0n,
    nonce: quantityAt(nonce, 'result') ?? 0n,
    code: textAt(code, 'result') ?? '0x',
    proxyState: [code, ...words].map((answer) => textAt(answer, 'result')).join(),
  };
}

export function AddressPage({ address }: { address: string }) {
  const account = useLiveChain(['account', address], (reader) => readAccount(reader, address));
  return <Loaded of={account}>{(value) => <AccountView address={address} account={value} />}</Loaded>;
}

/** What is known of a contract, and of what its calls go to. */
async function readContract(reader: Reader, address: string) {
  reader.forget(address);
  const [proxies, names] = await Promise.all([proxiesAmong(reader.ask, [address]), reader.name([address])]);
  return { proxy: proxies.get(address), contract: names.get(address.toLowerCase()) };
}

function AccountView({ address, account }: { address: string; account: Account }) {
  const inCoins = useCoins();
  const own = useAddressName()(address);
  const { data } = useChain(['contract', address, account.proxyState], (reader) =>
    readContract(reader, address),
  );
  const { proxy, contract } = data ?? {};
  const isContract = account.code !== '0x' && delegateOf(account.code) === undefined;
  return (
    <div className={styles.stack}>
      <Card title={own ?? (isContract ? (contract?.name ?? texts.contract) : texts.account)}>
        <Rows
          rows={[
            [texts.address, <Address key="address" address={address} />],
            [texts.balance, inCoins(account.balance)],
            [texts.nonce, whole(account.nonce)],
            [texts.kind, kindOf(account.code)],
            [texts.implementation, proxy && <Implementation key="implementation" proxy={proxy} />],
            [texts.creator, isContract ? <Creator key="creator" address={address} /> : undefined],
            [texts.token, contract?.token && texts.tokenOf(contract.token.symbol, contract.token.role)],
            [
              texts.supply,
              contract?.token?.role === 'token' ? (
                <Supply key="supply" address={address} contract={contract} />
              ) : undefined,
            ],
          ]}
        />
      </Card>
      <Sections
        address={address}
        code={account.code}
        contract={contract}
        isContract={isContract}
        hasFunctions={isContract || proxy !== undefined}
      />
    </div>
  );
}

function Address({ address }: { address: string }) {
  const addressNames = useFeature('addressNames');
  return (
    <span className={styles.named}>
      <Full value={address} label={texts.address} />
      {addressNames && <addressNames.Naming address={address} />}
    </span>
  );
}

function kindOf(code: string): string {
  if (code === '0x') return texts.noCode;
  const delegate = delegateOf(code);
  return delegate === undefined ? texts.code(whole((code.length - 2) / 2)) : texts.delegated(delegate);
}

function Implementation({ proxy: { implementation, kind } }: { proxy: ProxyContract }) {
  return (
    <>
      <TargetLink kind="address" value={implementation} />{' '}
      <span className={styles.muted}>{texts.proxyKind(kind)}</span>
    </>
  );
}

/** Who created a contract and in which transaction, where the node knows it: light engines do. */
function Creator({ address }: { address: string }) {
  const { data } = useChain(['creator', address], (reader) =>
    reader.one('ots_getContractCreator', address).catch(() => null),
  );
  const [creator, hash] = [textAt(data, 'creator'), textAt(data, 'hash')];
  if (creator === undefined || hash === undefined) return texts.creatorUnknown;
  return (
    <>
      <ShortLink kind="address" value={creator} /> {texts.createdIn} <ShortLink kind="tx" value={hash} />
    </>
  );
}

/** The supply of one of our tokens now. */
function Supply({ address, contract }: { address: string; contract: NamedContract }) {
  const call = { to: address, data: '0x18160ddd' };
  const { data } = useLiveChain(
    ['supply', address],
    async (reader) => quantityAt({ value: await reader.one('eth_call', call, 'latest') }, 'value') ?? null,
  );
  const { symbol = '', decimals = 0 } = contract.token ?? {};
  return data === undefined || data === null ? null : `${inUnits(data, decimals)} ${symbol}`;
}
