import { Link } from '@tanstack/react-router';
import type { OnChain } from '../feature.ts';
import { useKind, useStream } from '../session/context.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import page from '../ui/page.module.css';
import { texts } from './texts.ts';
import { useAddressName } from './useAddressName.ts';
import { useFeature } from './useFeature.ts';

/** A network by its name; by its id when it is gone, or not known yet. */
export function NetworkLink({ id }: { id: string }) {
  const name = useKind('network').objects.get(id)?.name;
  const { isComplete } = useStream();
  if (name === undefined) {
    return (
      <span title={id}>
        {id.slice(0, 8)} {isComplete && `(${texts.gone})`}
      </span>
    );
  }
  return (
    <Link to="/networks/$id" params={{ id }} preload={false}>
      {name}
    </Link>
  );
}

/** The name of a network in a text. */
export function useNetworkName(): (id: string) => string {
  const { objects } = useKind('network');
  return (id) => objects.get(id)?.name ?? id.slice(0, 8);
}

export const shortHex = (text: string) => (text.length > 16 ? `${text.slice(0, 8)}…${text.slice(-6)}` : text);

/** An address by its name; without one, by its begin and its end. */
export function AddressText({ address }: { address: string }) {
  return <span title={address}>{useAddressName()(address) ?? shortHex(address)}</span>;
}

/** Something on the chain of a network, with a link to its page; its text alone when the network is gone. */
export function OnChainLink({ network, kind, value }: OnChain & { network: string }) {
  const isThere = useKind('network').objects.has(network);
  const explorer = useFeature('explorer');
  const text = kind === 'address' ? <AddressText address={value} /> : shortHex(value);
  return isThere && explorer ? <Link to={explorer.pathOf(network, { kind, value })}>{text}</Link> : text;
}

/** A transaction on the chain of a network, with a button that copies its hash. */
export function HashLink({ network, hash }: { network: string; hash: string }) {
  return (
    <span className={page.copied} title={hash}>
      <span>
        <OnChainLink network={network} kind="tx" value={hash} />
      </span>
      <CopyButton text={hash} label={texts.copyHash} />
    </span>
  );
}

/** An address on the chain of a network, with a button that copies it. */
export function Address({ network, address }: { network: string; address: string }) {
  return (
    <span className={page.copied} title={address}>
      <span>
        <OnChainLink network={network} kind="address" value={address} />
      </span>
      <CopyButton text={address} label={texts.copyAddress} />
    </span>
  );
}
