import { inUnits } from '../amounts.ts';
import styles from '../explorer.module.css';
import { TargetLink } from '../parts/links.tsx';
import type { NamedContract } from '../reader.ts';
import { texts } from '../texts.ts';
import type { Decoded, Shown } from './abi.ts';

/** Whose amounts the values are. */
type Token = NamedContract['token'];

/** A call or an event by its names. */
export function DecodedView({ decoded, token }: { decoded: Decoded; token?: Token }) {
  return (
    <div className={styles.decoded}>
      <p>
        <code>{decoded.signature}</code>
        {decoded.isGuess && <small className={styles.muted}> {texts.guess}</small>}
      </p>
      <Values values={decoded.values} token={token} />
    </div>
  );
}

/** Values with their names and types; lists and structs inside each other. */
export function Values({ values, token }: { values: readonly Shown[]; token?: Token }) {
  if (values.length === 0) return null;
  return (
    <dl className={styles.values}>
      {values.map((value, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the values of a call have their places, and names may repeat.
        <div key={index} className={value.parts ? styles.nested : undefined}>
          <dt>
            {value.name} <small>{value.type}</small>
          </dt>
          <dd>
            {value.parts ? (
              <Values values={value.parts} token={token} />
            ) : (
              <Text value={value} token={token} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** What standards call the amounts of a token. */
const amounts = /^_?(value|amount|needed|balance|allowance|cap)_?$/i;

function Text({ value: { name, type, text = '' }, token }: { value: Shown; token: Token }) {
  if (type === 'address') return <TargetLink kind="address" value={text} />;
  const isAmount = token?.role === 'token' && type === 'uint256' && amounts.test(name);
  return (
    <>
      <code>{text}</code>
      {isAmount && (
        <small className={styles.muted}>{` ${inUnits(BigInt(text), token.decimals)} ${token.symbol}`}</small>
      )}
    </>
  );
}
