import { Tabs } from '@base-ui/react/tabs';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { Network } from '../../../../sdk/src/generated/types.ts';
import { NotFound } from '../../app/NotFound.tsx';
import { usePageTitle } from '../../app/usePageTitle.ts';
import { features } from '../../features.ts';
import { isEvm } from '../../lib/chains.ts';
import { NotStreamed } from '../../parts/Streamed.tsx';
import { TabList } from '../../parts/TabList.tsx';
import { Wiring } from '../../parts/wiring/Wiring.tsx';
import { layerZeroWiring } from '../../parts/wiring/wiring.ts';
import { useLive } from '../../session/context.tsx';
import { Accounts } from '../accounts/Accounts.tsx';
import { ActivityList } from './Activity.tsx';
import { Conditions } from './Conditions.tsx';
import { Clock } from './clock/Clock.tsx';
import { Endpoints } from './Endpoints.tsx';
import { Facts } from './Facts.tsx';
import { Header } from './Header.tsx';
import { Logs } from './logs/Logs.tsx';
import styles from './network.module.css';
import { Plugins } from './Plugins.tsx';
import { Progress } from './Progress.tsx';
import { Snapshots } from './Snapshots.tsx';
import { Spec } from './Spec.tsx';
import { type Tab, tabs } from './search.ts';
import { texts } from './texts.ts';

/**
 * One network, from the event stream alone: to read it over REST would count as use, and would wake a stopped one.
 */
export function NetworkPage() {
  const { id } = useParams({ from: '/networks/$id' });
  const { networks, isComplete } = useLive();
  const network = networks.get(id);
  usePageTitle(network?.name ?? (isComplete ? texts.goneTitle : texts.back));
  if (!network && !isComplete) return <NotStreamed />;
  if (!network) return <NotFound title={texts.goneTitle} text={texts.goneText} />;
  return (
    <>
      <Header network={network} />
      <Sections network={network} />
    </>
  );
}

const cards = features.flatMap(({ networkCards = [] }) => networkCards);
const featureTabs = features.flatMap(({ networkTabs = [] }) => networkTabs);

function Sections({ network }: { network: Network }) {
  const { tab = 'overview' } = useSearch({ from: '/networks/$id' });
  const navigate = useNavigate({ from: '/networks/$id' });
  const { type } = network.spec.chain;
  const own = tabs.filter(
    (one) => (one !== 'snapshots' || isEvm(type)) && (one !== 'accounts' || type !== 'LayerZero'),
  );
  const shown = [
    ...own.map((name) => ({
      name,
      label: texts.tabs[name],
      panel: <Section tab={name} network={network} />,
    })),
    ...featureTabs.map(({ name, label, Panel }) => ({ name, label, panel: <Panel network={network} /> })),
  ];
  const choose = (value: string) => void navigate({ search: value === 'overview' ? {} : { tab: value } });
  return (
    <Tabs.Root value={shown.some(({ name }) => name === tab) ? tab : 'overview'} onValueChange={choose}>
      <TabList label={texts.sections} tabs={shown} />
      {shown.map(({ name, panel }) => (
        <Tabs.Panel key={name} value={name} className={styles.panel}>
          {panel}
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
}

function Section({ tab, network }: { tab: Tab; network: Network }) {
  if (tab === 'accounts') return <Accounts network={network} />;
  if (tab === 'logs') return <Logs network={network} />;
  if (tab === 'activity') return <ActivityList network={network} />;
  if (tab === 'snapshots') return <Snapshots network={network} />;
  if (tab === 'spec') return <Spec network={network} />;
  if (tab === 'conditions') return <Conditions network={network} />;
  return (
    <div className={styles.stack}>
      <Progress network={network} />
      <div className={styles.columns}>
        <div className={styles.stack}>
          {network.spec.chain.type === 'LayerZero' && <Wiring data={layerZeroWiring(network)} />}
          <Endpoints network={network} />
          <Plugins network={network} />
        </div>
        <div className={styles.stack}>
          <Facts network={network} />
          {cards.map(({ name, Card }) => (
            <Card key={name} network={network} />
          ))}
          <Clock network={network} />
        </div>
      </div>
    </div>
  );
}
