import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { errorsAt, noFieldErrors, withOwn } from '../../forms/fieldErrors.ts';
import { labelsOf, labelsProblem, withLabels } from '../../forms/labels.ts';
import { useFormErrors } from '../../forms/useFormErrors.ts';
import { chosenOf, evmNetworks, noChoice } from '../../parts/choice.ts';
import { FormProblems } from '../../parts/FormProblems.tsx';
import { NetworkPicker } from '../../parts/NetworkPicker.tsx';
import { useInside, useKind } from '../../session/context.tsx';
import { Button } from '../../ui/Button.tsx';
import { AsCode } from '../../ui/code/AsCode.tsx';
import { TextField } from '../../ui/Field.tsx';
import { useKeepOpen } from '../../ui/keepOpen.ts';
import page from '../../ui/page.module.css';
import surface from '../../ui/surface.module.css';
import { tell } from '../../ui/toasts.ts';
import { snippetsOf } from './snippets.ts';
import { texts } from './texts.ts';

const places = [
  [/^name\b/, 'name'],
  [/^userAddress\b/, 'wallet'],
  [/^networkIds\b/, 'networks'],
  [/^metadata\.labels\b/, 'labels'],
] as const;

/** Starts a recording and goes to its page, where the count rises. */
export function StartForm({ onClose }: { onClose: () => void }) {
  const { client, me } = useInside();
  const navigate = useNavigate();
  const networks = evmNetworks(useKind('network').objects.values());
  const [name, setName] = useState('');
  const [wallet, setWallet] = useState(me.user.address ?? '');
  const [labels, setLabels] = useState('');
  const [choice, setChoice] = useState(noChoice);
  const { form, errors, setErrors } = useFormErrors();
  const chosen = chosenOf(networks, choice);
  const given = labelsOf(labels);
  const body = {
    ...(name.trim() ? { name: name.trim() } : {}),
    userAddress: wallet.trim(),
    networkIds: chosen.map(({ id }) => id),
    ...(given ? { metadata: { labels: given } } : {}),
  };
  const none = chosen.length === 0 ? { networks: texts.noNetwork } : {};
  const own = { ...none, ...labelsProblem(labels) };
  const start = useMutation({
    mutationFn: () => client.recordings.start(withLabels(body, labels)),
    onSuccess: ({ recordingId }) => {
      tell(texts.started);
      void navigate({ to: '/recordings/$id', params: { id: recordingId } });
    },
    onError: (error) => setErrors(withOwn(errorsAt(error, places), own)),
  });
  useKeepOpen(start.isPending);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setErrors(noFieldErrors);
    if (!start.isPending) start.mutate();
  };
  return (
    <form ref={form} className={surface.cardForm} onSubmit={submit} noValidate>
      <FormProblems lines={errors.rest} title={texts.refused} />
      <TextField
        label={texts.name}
        hint={texts.nameHint}
        error={errors.at.name}
        value={name}
        isOptional
        maxLength={63}
        onChange={setName}
      />
      <TextField
        label={texts.wallet}
        hint={texts.walletHint}
        error={errors.at.wallet}
        value={wallet}
        className={page.mono}
        onChange={setWallet}
      />
      <TextField
        label={texts.labels}
        hint={texts.labelsHint}
        error={errors.at.labels}
        value={labels}
        isOptional
        onChange={setLabels}
      />
      <NetworkPicker networks={networks} choice={choice} error={errors.at.networks} onChange={setChoice} />
      <AsCode snippets={snippetsOf(body, chosen, me.workspace?.id ?? '')} />
      <div className={surface.dialogActions}>
        <Button onClick={onClose} disabled={start.isPending}>
          {texts.cancel}
        </Button>
        <Button type="submit" look="primary" icon="record" isBusy={start.isPending}>
          {texts.start}
        </Button>
      </div>
    </form>
  );
}
