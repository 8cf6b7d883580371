import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useContext, useState } from 'react';
import { Address } from '../../../../console/src/parts/links.tsx';
import { useInside } from '../../../../console/src/session/context.tsx';
import { buttonClass } from '../../../../console/src/ui/Button.tsx';
import { Card } from '../../../../console/src/ui/Card.tsx';
import { type Column, DataTable } from '../../../../console/src/ui/DataTable.tsx';
import { Empty } from '../../../../console/src/ui/Empty.tsx';
import { TextField } from '../../../../console/src/ui/Field.tsx';
import { Loaded } from '../../../../console/src/ui/Loaded.tsx';
import surface from '../../../../console/src/ui/surface.module.css';
import type { Network } from '../../../../sdk/src/generated/types.ts';
import { keptContracts } from '../abis.ts';
import { ExplorerContext } from '../context.tsx';
import { SendButton } from '../evm/send/SendButton.tsx';
import { useSettled } from '../search/useSettled.ts';
import { type Listed, listedOf } from './listed.ts';
import { texts } from './texts.ts';

const maxShown = 500;

/** The contracts of a network that are known by name. No chain is read for it, so that the network may be stopped. */
export function Contracts({ network }: { network: Network }) {
  const { client } = useInside();
  const [name, setName] = useState('');
  const part = useSettled(name.trim());
  const { enclaveID = '' } = network.status ?? {};
  const contracts = useQuery({
    queryKey: ['contracts', network.id, enclaveID, part],
    queryFn: ({ signal }) => client.contracts.list(network.id, { name: part, limit: maxShown }, { signal }),
    placeholderData: keepPreviousData,
  });
  // What is deployed from here is known in this browser by then.
  const [, setDraws] = useState(0);
  const isRunning = useContext(ExplorerContext) !== undefined;
  const deploy = isRunning && <SendButton kind="deploy" onClosed={() => setDraws((draws) => draws + 1)} />;
  return (
    <Card title={texts.title} action={deploy}>
      <search className={surface.cardBody}>
        <TextField label={texts.search} type="search" value={name} onChange={setName} />
      </search>
      <Loaded query={contracts}>
        {({ items, metadata }) => (
          <Rows
            networkId={network.id}
            rows={listedOf(items, keptContracts(localStorage, enclaveID), part)}
            isSearch={part !== ''}
            isPart={metadata.cursor !== undefined}
          />
        )}
      </Loaded>
    </Card>
  );
}

interface RowsProps {
  networkId: string;
  rows: readonly Listed[];
  isSearch: boolean;
  isPart: boolean;
}

function Rows({ networkId, rows, isSearch, isPart }: RowsProps) {
  if (rows.length === 0 && isSearch) return <p className={surface.note}>{texts.noneFound}</p>;
  if (rows.length === 0) return <None networkId={networkId} />;
  const columns: Column<Listed>[] = [
    {
      label: texts.name,
      isMain: true,
      cell: ({ name, fullName }) => <strong title={fullName}>{name}</strong>,
    },
    { label: texts.address, cell: ({ address }) => <Address network={networkId} address={address} /> },
    { label: texts.origin, cell: ({ origin }) => origin },
    { label: texts.token, cell: ({ token }) => token && <TokenOf token={token} /> },
  ];
  return (
    <>
      <DataTable label={texts.title} columns={columns} rows={rows} keyOf={({ address }) => address} />
      {isPart && <p className={surface.note}>{texts.more(maxShown)}</p>}
    </>
  );
}

function TokenOf({ token: { id, name, symbol, role } }: { token: NonNullable<Listed['token']> }) {
  return (
    <>
      <Link to="/tokens/$id" params={{ id }} preload={false} title={name}>
        {symbol}
      </Link>
      {texts.role(role)}
    </>
  );
}

function None({ networkId }: { networkId: string }) {
  return (
    <Empty icon="search" title={texts.emptyTitle} text={texts.emptyText}>
      <Link to="/networks/$id" params={{ id: networkId }} className={buttonClass()}>
        {texts.endpoints}
      </Link>
      <Link to="/tokens/new" className={buttonClass()}>
        {texts.deploy}
      </Link>
    </Empty>
  );
}
