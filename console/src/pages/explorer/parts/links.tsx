import { Link } from '@tanstack/react-router';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { short, whole } from '../amounts.ts';
import { useExplored } from '../context.tsx';
import styles from '../explorer.module.css';
import type { Kind } from '../search.ts';

interface TargetLinkProps {
  kind: Kind;
  value: string;
  /** What is shown; the value itself when absent. */
  text?: string | undefined;
}

/** A link to a page of the same explorer. */
export function TargetLink({ kind, value, text = value }: TargetLinkProps) {
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

/** A value in full, to copy; a link where it has a page. */
export function Full({ value, kind, label }: { value: string; kind?: Kind; label: string }) {
  return (
    <span className={styles.full}>
      {kind ? <TargetLink kind={kind} value={value} /> : <code>{value}</code>}
      <CopyButton text={value} label={label} />
    </span>
  );
}
