import { Link } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { usePageTitle } from '../../app/usePageTitle.ts';
import { errorsAt, noFieldErrors, withOwn } from '../../forms/fieldErrors.ts';
import { labelsProblem, withLabels } from '../../forms/labels.ts';
import { useFormErrors } from '../../forms/useFormErrors.ts';
import { useUnsent } from '../../forms/useUnsent.ts';
import { chosenOf, evmNetworks } from '../../parts/choice.ts';
import { FormProblems } from '../../parts/FormProblems.tsx';
import { useInside, useKind, useMay } from '../../session/context.tsx';
import { Button } from '../../ui/Button.tsx';
import { AsCodeAside } from '../../ui/code/AsCode.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Icon } from '../../ui/Icon.tsx';
import page from '../../ui/page.module.css';
import { places } from './errors.ts';
import { FormFields } from './FormFields.tsx';
import { emptyForm, missingOf, toBody } from './form.ts';
import { snippetsOf } from './snippets.ts';
import { texts } from './texts.ts';
import { useDeploy } from './useDeploy.ts';

export function DeployPage() {
  usePageTitle(texts.title);
  if (!useMay('tokens:write')) {
    return <Empty isPage icon="key" title={texts.forbiddenTitle} text={texts.forbiddenText} />;
  }
  return (
    <>
      <Link to="/tokens" className={page.back}>
        <Icon name="arrowLeft" /> {texts.back}
      </Link>
      <div className={page.head}>
        <h1>{texts.title}</h1>
      </div>
      <DeployForm />
    </>
  );
}

const unsent = new Map<string, typeof emptyForm>();

function DeployForm() {
  const { me } = useInside();
  const { objects } = useKind('network');
  const { value: form, set, forget } = useUnsent(unsent, '', emptyForm);
  const { form: element, errors, setErrors } = useFormErrors();
  const deploy = useDeploy();
  const networks = evmNetworks(objects.values());
  const chosen = chosenOf(networks, form.choice);
  const body = toBody(form, chosen, objects.values());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (deploy.isPending) return;
    const missing = missingOf(form).map((field) => [field, texts.missing] as const);
    const none = chosen.length === 0 ? [['networks', texts.noNetwork] as const] : [];
    const own = { ...Object.fromEntries([...missing, ...none]), ...labelsProblem(form.labels) };
    setErrors(noFieldErrors);
    const onError = (error: unknown) => setErrors(withOwn(errorsAt(error, places), own));
    deploy.mutate({ path: form.path, body: withLabels(body, form.labels) }, { onError, onSuccess: forget });
  };
  return (
    <form ref={element} className={page.layout} onSubmit={submit} noValidate>
      <div className={page.column}>
        <FormProblems lines={errors.rest} title={texts.refused} />
        <FormFields
          form={form}
          networks={networks}
          errors={errors.at}
          set={(change) => set((now) => ({ ...now, ...change }))}
        />
        <div className={page.actions}>
          <Button type="submit" look="primary" isBusy={deploy.isPending}>
            {texts.submit}
          </Button>
        </div>
      </div>
      <AsCodeAside
        snippets={snippetsOf({
          path: form.path,
          body,
          networks: chosen,
          workspace: me.workspace?.id ?? '',
        })}
      />
    </form>
  );
}
