import { skipToken, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Network } from '../../../../sdk/src/generated/types.ts';
import { useAddressName } from '../../parts/useAddressName.ts';
import { useFeature } from '../../parts/useFeature.ts';
import { useInside } from '../../session/context.tsx';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import page from '../../ui/page.module.css';
import surface from '../../ui/surface.module.css';
import { tellFailure } from '../../ui/toasts.ts';
import { stateOf } from '../networks/filter.ts';
import styles from './accounts.module.css';
import { type FundedAccount, originOf } from './accounts.ts';
import { texts } from './texts.ts';

const againMs = 10_000;

/** Who has funds on a network, and with which keys. Nothing here wakes it. */
export function Accounts({ network }: { network: Network }) {
  const { client } = useInside();
  const query = useQuery({
    queryKey: ['accounts', network.id, network.metadata.rev],
    queryFn: async ({ signal }) => (await client.networks.listAccounts(network.id, { signal })).items,
  });
  return (
    <section className={surface.card} aria-label={texts.title}>
      <div className={surface.cardBody}>
        <p className={page.muted}>{texts.hint}</p>
      </div>
      <Loaded query={query}>
        {(accounts) =>
          accounts.length === 0 ? (
            <Empty icon="key" title={texts.none} text={texts.noneText} />
          ) : (
            <Table network={network} accounts={accounts} />
          )
        }
      </Loaded>
    </section>
  );
}

function Table({ network, accounts }: { network: Network; accounts: readonly FundedAccount[] }) {
  const { client } = useInside();
  const explorer = useFeature('explorer');
  const addresses = accounts.map(({ address }) => address);
  const { data: balances } = useQuery({
    queryKey: ['balances', network.id, network.status?.enclaveID],
    enabled: stateOf(network) === 'Operational',
    refetchInterval: againMs,
    meta: { aside: 'The balances' },
    queryFn: explorer ? () => explorer.readBalances(client, network, addresses) : skipToken,
  });
  return (
    <DataTable
      label={texts.title}
      rows={accounts}
      keyOf={({ address }) => address}
      columns={[
        { label: texts.address, isMain: true, cell: (account) => <Address {...account} /> },
        {
          label: texts.balance,
          cell: ({ address }) =>
            balances?.get(address) ?? <span className={page.muted}>{texts.unknownBalance}</span>,
        },
        { label: texts.from, cell: originOf },
        { label: texts.key, cell: (account) => <Key id={network.id} account={account} /> },
      ]}
    />
  );
}

function Address({ address }: FundedAccount) {
  const name = useAddressName()(address);
  return (
    <span className={styles.line}>
      {name !== undefined && <strong>{name}</strong>}
      <code className={styles.break}>{address}</code>
      <CopyButton text={address} label={texts.copyAddress} />
    </span>
  );
}

/** Read when it is asked for, because each such read is audited. It stays in this part of the page alone. */
function Key({ id, account }: { id: string; account: FundedAccount }) {
  const { client } = useInside();
  const [key, setKey] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const { address, hasKey } = account;
  if (!hasKey) return <span className={page.muted}>{texts.notYours}</span>;
  const reveal = () => {
    setBusy(true);
    client.networks
      .getAccountKey({ id, address })
      .then(({ privateKey }) => setKey(privateKey), tellFailure)
      .finally(() => setBusy(false));
  };
  if (key === undefined) {
    return (
      <Button
        isSmall
        look="quiet"
        icon="eye"
        isBusy={isBusy}
        aria-label={`${texts.reveal}: ${address}`}
        onClick={reveal}
      >
        {texts.reveal}
      </Button>
    );
  }
  return (
    <span className={styles.line}>
      <code className={styles.break}>{key}</code>
      <CopyButton text={key} label={texts.copyKey} />
      <Button isSmall look="quiet" icon="eyeOff" onClick={() => setKey(undefined)}>
        {texts.hide}
      </Button>
    </span>
  );
}
