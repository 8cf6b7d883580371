import { Tabs } from '@base-ui/react/tabs';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isEvm } from '../../../console/src/lib/chains.ts';
import { part } from '../../../console/src/loading/part.tsx';
import { TabList } from '../../../console/src/parts/TabList.tsx';
import surface from '../../../console/src/ui/surface.module.css';
import type { Network } from '../../../sdk/src/generated/types.ts';
import { texts } from './texts.ts';

const Contracts = part(() => import('./contracts/Contracts.tsx').then((file) => file.Contracts));
const [first, contracts] = ['blocks', 'contracts'];
const route = '/networks/$id/explorer';

/** The first page of an explorer: what happens on the chain, and which contracts are known, also while the network is stopped. */
export function Sections({ network, children }: { network: Network; children: ReactNode }) {
  const { tab } = useSearch({ from: route });
  const navigate = useNavigate({ from: route });
  if (!isEvm(network.spec.chain.type)) return children;
  const tabs = [
    { name: first, label: texts.sectionOfBlocks },
    { name: contracts, label: texts.sectionOfContracts },
  ];
  const choose = (value: string) => void navigate({ search: value === first ? {} : { tab: value } });
  return (
    <Tabs.Root value={tabs.find(({ name }) => name === tab)?.name ?? first} onValueChange={choose}>
      <TabList label={texts.sections} tabs={tabs} />
      <Tabs.Panel value={first} className={surface.panel}>
        {children}
      </Tabs.Panel>
      <Tabs.Panel value={contracts} className={surface.panel}>
        <Contracts network={network} />
      </Tabs.Panel>
    </Tabs.Root>
  );
}
