import { Tabs } from '@base-ui/react/tabs';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Network } from '../../../../sdk/src/generated/types.ts';
import { features } from '../../features.ts';
import { isEvm } from '../../lib/chains.ts';
import { TabList } from '../../parts/TabList.tsx';
import surface from '../../ui/surface.module.css';
import { texts } from './texts.ts';

const featureTabs = features.flatMap(({ explorerTabs = [] }) => explorerTabs);
const first = 'blocks';
const route = '/networks/$id/explorer';

/** The first page of an explorer: what happens on the chain, and what features know of it, also while the network is stopped. */
export function Sections({ network, children }: { network: Network; children: ReactNode }) {
  const { tab } = useSearch({ from: route });
  const navigate = useNavigate({ from: route });
  if (!isEvm(network.spec.chain.type)) return children;
  const tabs = [{ name: first, label: texts.sectionOfBlocks }, ...featureTabs];
  const choose = (value: string) => void navigate({ search: value === first ? {} : { tab: value } });
  return (
    <Tabs.Root value={tabs.find(({ name }) => name === tab)?.name ?? first} onValueChange={choose}>
      <TabList label={texts.sections} tabs={tabs} />
      <Tabs.Panel value={first} className={surface.panel}>
        {children}
      </Tabs.Panel>
      {featureTabs.map(({ name, Panel }) => (
        <Tabs.Panel key={name} value={name} className={surface.panel}>
          <Panel network={network} />
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
}
