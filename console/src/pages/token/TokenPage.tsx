import { Tabs } from '@base-ui/react/tabs';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { Token } from '../../../../sdk/src/generated/types.ts';
import { NotFound } from '../../app/NotFound.tsx';
import { usePageTitle } from '../../app/usePageTitle.ts';
import { useNetworkName } from '../../parts/links.tsx';
import { NotStreamed } from '../../parts/Streamed.tsx';
import { TabList } from '../../parts/TabList.tsx';
import { Wiring } from '../../parts/wiring/Wiring.tsx';
import { isWired, tokenWiring } from '../../parts/wiring/wiring.ts';
import { useKind, useMay, useStream } from '../../session/context.tsx';
import page from '../../ui/page.module.css';
import surface from '../../ui/surface.module.css';
import { Deployments } from './Deployments.tsx';
import { Further } from './Further.tsx';
import { Facts, Header } from './Header.tsx';
import { type Tab, tabs } from './search.ts';
import { texts } from './texts.ts';

export function TokenPage() {
  const { id } = useParams({ from: '/tokens/$id' });
  const token = useKind('token').objects.get(id);
  const { isComplete } = useStream();
  usePageTitle(token?.symbol ?? (isComplete ? texts.goneTitle : texts.back));
  if (!token && !isComplete) return <NotStreamed />;
  if (!token) return <NotFound title={texts.goneTitle} text={texts.goneText} list="/tokens" />;
  return (
    <>
      <Header token={token} />
      <div className={page.stack}>
        <Facts token={token} />
        <Sections token={token} />
      </div>
    </>
  );
}

function Sections({ token }: { token: Token }) {
  const { tab = 'deployments' } = useSearch({ from: '/tokens/$id' });
  const navigate = useNavigate({ from: '/tokens/$id' });
  const mayWrite = useMay('tokens:write');
  const isShown: Record<Tab, boolean> = { deployments: true, connections: isWired(token), further: mayWrite };
  const shown = tabs.filter((one) => isShown[one]);
  const choose = (value: Tab) => void navigate({ search: value === 'deployments' ? {} : { tab: value } });
  return (
    <Tabs.Root value={isShown[tab] ? tab : 'deployments'} onValueChange={choose}>
      <TabList label={texts.sections} tabs={shown.map((name) => ({ name, label: texts.tabs[name] }))} />
      {shown.map((one) => (
        <Tabs.Panel key={one} value={one} className={surface.panel}>
          <Section tab={one} token={token} />
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
}

function Section({ tab, token }: { tab: Tab; token: Token }) {
  const nameOf = useNetworkName();
  if (tab === 'connections') return <Wiring data={tokenWiring(token, nameOf)} />;
  return tab === 'further' ? <Further token={token} /> : <Deployments token={token} />;
}
