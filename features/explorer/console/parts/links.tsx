import { Link } from '@tanstack/react-router';
import { useAddressName } from '../../../../console/src/parts/useAddressName.ts';
import { CopyButton } from '../../../../console/src/ui/CopyButton.tsx';
import { short, whole } from '../amounts.ts';
import { useExplored } from '../context.tsx';
import styles from '../explorer.module.css';
import type { Kind } from '../search/targets.ts';

interface TargetLinkProps {
  kind: Kind;
  value: string;
  /** What is shown; the value itself when absent. */
  text?: string | undefined;
}

/** The name that the workspace gave an address; undefined for anything else. */
function useOwnName(kind: Kind | undefined, value: string): string | undefined {
  const name = useAddressName()(value);
  return kind === 'address' ? name : undefined;
}

/** A link to a page of the same explorer. The name that the workspace gave an address comes before all others. */
export function TargetLink({ kind, value, text }: TargetLinkProps) {
  const own = useOwnName(kind, value);
  if (own === undefined) return <PlainLink kind={kind} value={value} text={text} />;
  return (
    <span className={styles.name}>
      <PlainLink kind={kind} value={value} text={own} />
    </span>
  );
}

function PlainLink({ kind, value, text = value }: TargetLinkProps) {
  const { network } = useExplored();
  return (
    <Link
      to="/networks/$id/explorer/$kind/$value"
      params={{ id: network.id, kind, value }}
      preload={false}
      className={styles.mono}
      title={text === value ? undefined : value}
    >
      {text}
    </Link>
  );
}

export function BlockLink({ number }: { number: bigint | number }) {
  return <TargetLink kind="block" value={String(number)} text={whole(number)} />;
}

/** A hash or an address with its begin and its end, or with its name. */
export function ShortLink({ kind, value, name }: { kind: Kind; value: string; name?: string | undefined }) {
  // Most rows of lists have two addresses.
  const side = kind === 'address' ? 4 : 6;
  if (name === undefined) return <TargetLink kind={kind} value={value} text={short(value, side)} />;
  return (
    <span className={styles.name}>
      <TargetLink kind={kind} value={value} text={name} />
    </span>
  );
}

interface FullProps {
  value: string;
  kind?: Kind;
  label: string;
  /** What is known of it otherwise. */
  name?: string | undefined;
}

/** A value in full, to copy; a link where it has a page. Before it are its names, that of the workspace first. */
export function Full({ value, kind, label, name }: FullProps) {
  const names = new Set([useOwnName(kind, value), name].filter((one) => one !== undefined));
  const full = (
    <span className={styles.full}>
      {kind ? <PlainLink kind={kind} value={value} /> : <code>{value}</code>}
      <CopyButton text={value} label={label} />
    </span>
  );
  if (names.size === 0) return full;
  const [first, ...others] = names;
  return (
    <span className={styles.named}>
      <strong>{first}</strong>
      {others}
      {full}
    </span>
  );
}
