import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { usePageTitle } from '../../app/usePageTitle.ts';
import { errorsAt, noFieldErrors } from '../../forms/fieldErrors.ts';
import { useFormErrors } from '../../forms/useFormErrors.ts';
import { chosenOf, evmNetworks, noChoice } from '../../parts/choice.ts';
import { FormProblems } from '../../parts/FormProblems.tsx';
import { NetworkPicker } from '../../parts/NetworkPicker.tsx';
import { Section } from '../../parts/Section.tsx';
import { useInside, useKind, useMay } from '../../session/context.tsx';
import { Button } from '../../ui/Button.tsx';
import { AsCodeAside } from '../../ui/code/AsCode.tsx';
import controls from '../../ui/controls.module.css';
import { Empty } from '../../ui/Empty.tsx';
import { Icon } from '../../ui/Icon.tsx';
import page from '../../ui/page.module.css';
import { emptyItem, type ItemForm, places, toBody } from './form.ts';
import { ItemFields } from './ItemFields.tsx';
import { Sent } from './Sent.tsx';
import { snippetsOf } from './snippets.ts';
import { texts } from './texts.ts';

export function SubmitPage() {
  usePageTitle(texts.title);
  const { me } = useInside();
  if (!useMay('transactions:write')) {
    return <Empty isPage icon="key" title={texts.forbiddenTitle} text={texts.forbiddenText} />;
  }
  return (
    <>
      <Link to="/transactions" className={page.back}>
        <Icon name="arrowLeft" /> {texts.back}
      </Link>
      <div className={page.head}>
        <h1>{texts.title}</h1>
      </div>
      <p className={page.intro}>{me.user.address ? texts.intro(me.user.address) : texts.introNone}</p>
      <SubmitForm />
    </>
  );
}

/** The transactions of the form. */
function useItems() {
  const next = useRef(1);
  const [items, setItems] = useState<readonly ItemForm[]>([emptyItem(0)]);
  return {
    items,
    add() {
      const key = next.current++;
      setItems((now) => [...now, emptyItem(key)]);
    },
    remove: (key: number) => setItems((now) => now.filter((one) => one.key !== key)),
    set: (key: number, change: Partial<ItemForm>) =>
      setItems((now) => now.map((one) => (one.key === key ? { ...one, ...change } : one))),
  };
}

function SubmitForm() {
  const { client, me } = useInside();
  const { objects } = useKind('network');
  const { items, add, remove, set } = useItems();
  const [choice, setChoice] = useState(noChoice);
  const { form: element, errors, setErrors } = useFormErrors();
  const networks = evmNetworks(objects.values());
  const chosen = chosenOf(networks, choice);
  const body = toBody(items, chosen);
  const send = useMutation({ mutationFn: () => client.transactions.submit(body) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (send.isPending) return;
    if (chosen.length === 0) return setErrors({ ...noFieldErrors, at: { networks: texts.noNetwork } });
    setErrors(noFieldErrors);
    send.mutate(undefined, { onError: (error) => setErrors(errorsAt(error, places)) });
  };
  return (
    <form ref={element} className={page.layout} onSubmit={submit} noValidate>
      <div className={page.column}>
        {send.data && <Sent answer={send.data} />}
        <FormProblems lines={errors.rest} title={texts.refused} />
        <Section title={texts.networks}>
          <NetworkPicker
            networks={networks}
            choice={choice}
            error={errors.at.networks}
            onChange={setChoice}
          />
          <p className={`${controls.hint} ${page.wide}`}>{texts.networksHint}</p>
        </Section>
        {items.map((item, index) => (
          <ItemFields
            key={item.key}
            item={item}
            index={index}
            errors={errors.at}
            set={(change) => set(item.key, change)}
            onRemove={items.length > 1 ? () => remove(item.key) : undefined}
          />
        ))}
        <div className={page.actions}>
          <Button type="submit" look="primary" isBusy={send.isPending}>
            {texts.submit}
          </Button>
          <Button icon="plus" onClick={add}>
            {texts.add}
          </Button>
        </div>
      </div>
      <AsCodeAside snippets={snippetsOf(body, chosen, me.workspace?.id ?? '')} />
    </form>
  );
}
