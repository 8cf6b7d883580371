import { Link, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { NotFound } from '../../../console/src/app/NotFound.tsx';
import { usePageTitle } from '../../../console/src/app/usePageTitle.ts';
import { part } from '../../../console/src/loading/part.tsx';
import { stateOf } from '../../../console/src/pages/networks/filter.ts';
import { NotStreamed } from '../../../console/src/parts/Streamed.tsx';
import { useAddressName } from '../../../console/src/parts/useAddressName.ts';
import { useInside, useLive } from '../../../console/src/session/context.tsx';
import { Icon } from '../../../console/src/ui/Icon.tsx';
import page from '../../../console/src/ui/page.module.css';
import { StateBadge } from '../../../console/src/ui/StateBadge.tsx';
import type { Network } from '../../../sdk/src/generated/types.ts';
import { ExplorerContext } from './context.tsx';
import { EvmPages } from './evm/EvmPages.tsx';
import { SendButton } from './evm/send/SendButton.tsx';
import styles from './explorer.module.css';
import { Members } from './Members.tsx';
import { NotRunning } from './NotRunning.tsx';
import { HeadBadge } from './parts/HeadBadge.tsx';
import { Missing } from './parts/Missing.tsx';
import { SearchBox } from './parts/SearchBox.tsx';
import { createReader } from './reader.ts';
import { Sections } from './Sections.tsx';
import { type Family, familyOf, targetsOf } from './search/targets.ts';
import { titleOf } from './search/titleOf.ts';
import { texts } from './texts.ts';
import { useHead } from './useHead.ts';

/** The chain of a network, read without using the network: it stays stopped, and an open page does not keep it running. */
export function ExplorerPage() {
  const { id = '', kind, value = '' } = useParams({ strict: false });
  const { networks, isComplete } = useLive();
  const network = networks.get(id);
  const target = kind === undefined ? undefined : { kind, value };
  usePageTitle(useTitle(network, target) ?? (isComplete ? texts.goneTitle : texts.title));
  if (!network && !isComplete) return <NotStreamed />;
  if (!network) return <NotFound title={texts.goneTitle} text={texts.goneText} />;
  return (
    <>
      {target ? (
        <Link to="/networks/$id/explorer" params={{ id }} className={page.back}>
          <Icon name="arrowLeft" /> {texts.titleOf(network.name)}
        </Link>
      ) : (
        <Link to="/networks/$id" params={{ id }} className={page.back}>
          <Icon name="arrowLeft" /> {network.name}
        </Link>
      )}
      <Content network={network} target={target} />
    </>
  );
}

/** As the URL has it. */
type Target = { kind: string; value: string } | undefined;

interface ContentProps {
  network: Network;
  target: Target;
}

const foundIn = (family: Family, target: Target) =>
  target && targetsOf(family, target.value).find(({ kind }) => kind === target.kind);

/** The title of the tab; undefined without a network. */
function useTitle(network: Network | undefined, target: Target): string | undefined {
  const nameOf = useAddressName();
  if (!network || !target) return network && texts.titleOf(network.name);
  const family = familyOf(network.spec.chain.type);
  const found = foundIn(family, target);
  return texts.titleOn(found ? titleOf(found, family, nameOf) : texts.missing.target, network.name);
}

function Content({ network, target }: ContentProps) {
  const { enclaveID } = network.status ?? {};
  if (network.spec.chain.type === 'LayerZero') return <Members network={network} />;
  if (stateOf(network) !== 'Operational' || !enclaveID) {
    return (
      <>
        <Title network={network} />
        {target ? (
          <NotRunning network={network} />
        ) : (
          <Sections network={network}>
            <NotRunning network={network} />
          </Sections>
        )}
      </>
    );
  }
  // Nothing that is known of a chain is kept for the next one.
  return <Chain key={enclaveID} network={network} enclaveID={enclaveID} target={target} />;
}

function Title({ network }: { network: Network }) {
  return (
    <div className={`${styles.head} ${styles.alone}`}>
      <h1>{texts.title}</h1>
      <StateBadge state={stateOf(network)} />
      <span className={styles.muted}>{network.spec.chain.type}</span>
    </div>
  );
}

const SolanaPages = part(() => import('./solana/SolanaPages.tsx').then((file) => file.SolanaPages));
const ThorchainPages = part(() =>
  import('./thorchain/ThorchainPages.tsx').then((file) => file.ThorchainPages),
);
const pages = { evm: EvmPages, solana: SolanaPages, thorchain: ThorchainPages } as const;

function Chain({ network, enclaveID, target }: ContentProps & { enclaveID: string }) {
  const { client, signal } = useInside();
  const head = useHead(network.id, enclaveID);
  const reader = useMemo(
    () => createReader({ client, networkId: network.id, enclaveID, signal, storage: localStorage }),
    [client, network.id, enclaveID, signal],
  );
  const family = familyOf(network.spec.chain.type);
  const Pages = pages[family];
  const found = foundIn(family, target);
  return (
    <ExplorerContext value={{ network, enclaveID, family, reader, head }}>
      <div className={styles.top}>
        <div className={styles.head}>
          <h1>{texts.title}</h1>
          <HeadBadge />
        </div>
        <SearchBox />
        <SendButton />
      </div>
      {target && !found && <Missing what="target" text={texts.searchWrong[family]} />}
      {found && <Pages key={`${found.kind}/${found.value}`} target={found} />}
      {!target && (
        <Sections network={network}>
          <Pages target={undefined} />
        </Sections>
      )}
    </ExplorerContext>
  );
}
