import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useAddressHint } from '../../../../../console/src/parts/useAddressHint.ts';
import { useInside, useMay } from '../../../../../console/src/session/context.tsx';
import { Failure } from '../../../../../console/src/ui/Banner.tsx';
import { Button } from '../../../../../console/src/ui/Button.tsx';
import { Dialog } from '../../../../../console/src/ui/Dialog.tsx';
import { SelectField, TextField } from '../../../../../console/src/ui/Field.tsx';
import type { TransactionItem } from '../../../../../sdk/src/generated/types.ts';
import { useExplored } from '../../context.tsx';
import styles from '../../explorer.module.css';
import { TargetLink } from '../../parts/links.tsx';
import { DeployForm } from './DeployForm.tsx';
import { explained } from './explained.ts';
import { isAddress, type SendKind, type SendProps } from './form.ts';
import { Submitted } from './Submitted.tsx';
import { sendAsAccount } from './sendAsAccount.ts';
import { sendByKey } from './sendByKey.ts';
import { TransferForm } from './TransferForm.tsx';
import { texts } from './texts.ts';

const forms = { transfer: TransferForm, deploy: DeployForm } as const satisfies Record<SendKind, unknown>;

interface SendDialogProps {
  isOpen: boolean;
  /** The form that is shown first. */
  start: SendKind;
  onClose: () => void;
}

/** A transfer or a deployment, signed by the service with the caller's key. */
export function SendDialog({ isOpen, start, onClose }: SendDialogProps) {
  const { me } = useInside();
  const { address } = me.user;
  return (
    <Dialog
      title={texts.title}
      text={address ? texts.signer(address) : texts.noAddress}
      isOpen={isOpen}
      isWide
      onClose={onClose}
    >
      <Content start={start} onClose={onClose} />
    </Dialog>
  );
}

interface Sending {
  item: TransactionItem;
  contract: Parameters<SendProps['send']>[1];
}

function Content({ start, onClose }: Omit<SendDialogProps, 'isOpen'>) {
  const { client, me } = useInside();
  const { network, reader } = useExplored();
  const [kind, setKind] = useState<SendKind>(start);
  const mayImpersonate = useMay('networks:write');
  const [from, setFrom] = useState('');
  const named = useAddressHint(from);
  const isWrong = from !== '' && !isAddress(from);
  const sending = useMutation({
    mutationFn: async ({ item, contract }: Sending) => {
      const isRecorded = from === '';
      const sent = isRecorded
        ? sendByKey(client, network.id, item)
        : sendAsAccount(client, network.id, { from, item });
      const tried = {
        from: isRecorded ? me.user.address : from,
        to: item.to ?? undefined,
        data: item.data ?? '0x',
        value: item.value ?? '0',
      };
      return { isRecorded, contract, hash: await explained(sent, { reader, abi: contract?.abi }, tried) };
    },
  });
  const Form = forms[kind];
  const send: SendProps['send'] = (item, contract) => {
    if (sending.isPending || isWrong) return;
    sending.mutate({ item, contract });
  };
  const close = (
    <Button look="quiet" onClick={onClose}>
      {texts.close}
    </Button>
  );
  if (sending.data !== undefined) {
    return (
      <div className={styles.stack}>
        {sending.data.isRecorded ? (
          <Submitted hash={sending.data.hash} contract={sending.data.contract} />
        ) : (
          <p>
            {texts.transaction} <TargetLink kind="tx" value={sending.data.hash} />
          </p>
        )}
        <div>
          <Button onClick={sending.reset}>{texts.another}</Button> {close}
        </div>
      </div>
    );
  }
  return (
    <div className={styles.stack}>
      <SelectField
        label={texts.kind}
        value={kind}
        options={[
          { value: 'transfer', label: texts.kinds.transfer },
          { value: 'deploy', label: texts.kinds.deploy },
        ]}
        onChange={(value) => setKind(value === 'deploy' ? 'deploy' : 'transfer')}
      />
      {mayImpersonate && (
        <TextField
          label={texts.as}
          hint={named ?? texts.asHint}
          error={isWrong ? texts.toWrong : undefined}
          isOptional
          value={from}
          onChange={(value) => setFrom(value.trim())}
        />
      )}
      {sending.error && <Failure error={sending.error} />}
      {/* What was said of the former try goes when something changes. */}
      <div onChange={sending.error ? sending.reset : undefined}>
        <Form isBusy={sending.isPending} send={send} />
      </div>
      <div>{close}</div>
    </div>
  );
}
