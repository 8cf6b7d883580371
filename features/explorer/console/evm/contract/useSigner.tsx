import { type ReactNode, useState } from 'react';
import { useAddressHint } from '../../../../../console/src/parts/useAddressHint.ts';
import { useMay } from '../../../../../console/src/session/context.tsx';
import { SelectField, TextField } from '../../../../../console/src/ui/Field.tsx';
import { texts } from '../../texts.ts';
import { isAddress } from '../send/form.ts';
import { texts as sendTexts } from '../send/texts.ts';
import { type FoundWallet, useWallets } from './wallets.ts';

/** Who signs: the service with the user's key, a wallet in the browser, or nobody for an account without its key. */
export type Signer =
  | { kind: 'key' }
  | { kind: 'wallet'; wallet: FoundWallet }
  | { kind: 'account'; from: string };

interface Signing {
  /** Undefined when nobody can sign. */
  signer: Signer | undefined;
  /** Where the user chooses. */
  choice: ReactNode;
}

const hints = { key: texts.keyHint, wallet: texts.walletHint, account: undefined } as const;

/** Who signs what the user sends, as they choose it. */
export function useSigner(): Signing {
  const wallets = useWallets();
  const [chosen, setChosen] = useState('');
  const [from, setFrom] = useState('');
  const named = useAddressHint(from);
  const choices: { value: string; label: string; signer: Signer }[] = [
    ...(useMay('transactions:write')
      ? [{ value: 'key', label: sendTexts.slipwayKey, signer: { kind: 'key' } as const }]
      : []),
    ...(useMay('networks:write')
      ? [{ value: 'account', label: sendTexts.otherAccount, signer: { kind: 'account', from } as const }]
      : []),
    ...wallets.map((wallet) => ({
      value: wallet.info.uuid,
      label: wallet.info.name,
      signer: { kind: 'wallet', wallet } as const,
    })),
  ];
  const { value = '', signer } = choices.find((one) => one.value === chosen) ?? choices[0] ?? {};
  const choice = (
    <>
      <SelectField
        label={texts.wallets}
        hint={signer && hints[signer.kind]}
        value={value}
        onChange={setChosen}
        options={choices}
      />
      {signer?.kind === 'account' && (
        <TextField
          label={sendTexts.asAddress}
          hint={named ?? sendTexts.asAddressHint}
          error={isAddress(from) || from === '' ? undefined : sendTexts.toWrong}
          value={from}
          onChange={(text) => setFrom(text.trim())}
        />
      )}
    </>
  );
  return { signer, choice };
}
