import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { errorsAt, noFieldErrors, placesNamed } from '../../../console/src/forms/fieldErrors.ts';
import { useFormErrors } from '../../../console/src/forms/useFormErrors.ts';
import { isEvm } from '../../../console/src/lib/chains.ts';
import { toSmallestUnits } from '../../../console/src/lib/units.ts';
import styles from '../../../console/src/pages/network/network.module.css';
import { HashLink } from '../../../console/src/parts/links.tsx';
import { useAddressHint } from '../../../console/src/parts/useAddressHint.ts';
import { useInside, useMay } from '../../../console/src/session/context.tsx';
import { Failure } from '../../../console/src/ui/Banner.tsx';
import { Button } from '../../../console/src/ui/Button.tsx';
import { TextField } from '../../../console/src/ui/Field.tsx';
import surface from '../../../console/src/ui/surface.module.css';
import type { Network } from '../../../sdk/src/generated/types.ts';
import { texts } from './texts.ts';

const decimals = 18;
const places = placesNamed(['address', 'amount']);

export function Faucet({ network }: { network: Network }) {
  if (!useMay('transactions:write') || !isEvm(network.spec.chain.type)) return null;
  return (
    <section className={surface.card} aria-label={texts.faucet}>
      <div className={surface.cardHead}>
        <h2>{texts.faucet}</h2>
      </div>
      <FaucetForm id={network.id} />
    </section>
  );
}

function FaucetForm({ id }: { id: string }) {
  const { client } = useInside();
  // The caller's own account pays: it is the one address that needs nothing.
  const [address, setAddress] = useState('');
  const [amount, setAmount] = useState('1');
  const units = toSmallestUnits(amount, decimals);
  const pay = useMutation({
    mutationFn: (wei: string) => client.networks.requestFunds(id, { address: address.trim(), amount: wei }),
  });
  const { form, errors, setErrors } = useFormErrors();
  const { at, error } = errors;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (units === undefined || pay.isPending) return;
    setErrors(noFieldErrors);
    pay.mutate(units, { onError: (refusal) => setErrors(errorsAt(refusal, places)) });
  };
  const forget = () => {
    pay.reset();
    setErrors(noFieldErrors);
  };
  return (
    <form
      ref={form}
      className={surface.cardBody}
      onSubmit={submit}
      // What was said of the former request goes when something changes.
      onChange={pay.isPending ? undefined : forget}
      noValidate
    >
      <p className={styles.muted}>{texts.faucetHint}</p>
      <TextField
        label={texts.address}
        hint={useAddressHint(address) ?? texts.addressHint}
        error={at.address}
        value={address}
        onChange={setAddress}
      />
      <TextField
        label={texts.amount}
        error={units === undefined ? texts.amountWrong : at.amount}
        value={amount}
        inputMode="decimal"
        onChange={setAmount}
      />
      <div>
        <Button type="submit" isBusy={pay.isPending}>
          {texts.pay}
        </Button>
      </div>
      {error !== undefined && <Failure error={error} />}
      {pay.data && (
        <div role="status">
          <p>{texts.paid}</p>
          {pay.data.txHashes.map((hash) => (
            <HashLink key={hash} network={id} hash={hash} />
          ))}
        </div>
      )}
    </form>
  );
}
