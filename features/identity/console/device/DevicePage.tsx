import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { usePageTitle } from '../../../../console/src/app/usePageTitle.ts';
import { Loading } from '../../../../console/src/loading/Loading.tsx';
import { useInside } from '../../../../console/src/session/context.tsx';
import { Failure } from '../../../../console/src/ui/Banner.tsx';
import { Button } from '../../../../console/src/ui/Button.tsx';
import signIn from '../signIn/signIn.module.css';
import { CodeForm } from './CodeForm.tsx';
import { Decision } from './Decision.tsx';
import styles from './device.module.css';
import { Outcome } from './Outcome.tsx';
import { texts } from './texts.ts';

/** Where a machine without a browser is given an API key. */
export function DevicePage() {
  usePageTitle(texts.title);
  const navigate = useNavigate();
  const { code } = useSearch({ from: '/sign-in/device' });
  const enter = (next?: string) =>
    void navigate({ to: '/sign-in/device', search: next === undefined ? {} : { code: next } });
  return (
    <section className={`${signIn.card} ${styles.place}`} aria-label={texts.title}>
      {code === undefined ? (
        <CodeForm onEnter={enter} />
      ) : (
        <Asked key={code} code={code} onOther={() => enter()} />
      )}
    </section>
  );
}

interface AskedProps {
  code: string;
  onOther: () => void;
}

/** What became of it is here alone: the code works once. */
function Asked({ code, onOther }: AskedProps) {
  const { client } = useInside();
  const [isApproved, setApproved] = useState<boolean>();
  const { data, error } = useQuery({
    queryKey: ['device', code],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: ({ signal }) => client.devices.lookUp({ userCode: code }, { signal }),
  });
  if (error) {
    return (
      <>
        <h1>{texts.title}</h1>
        <Failure error={error} />
        <Button look="primary" onClick={onOther}>
          {texts.other}
        </Button>
      </>
    );
  }
  if (!data) return <Loading />;
  if (isApproved !== undefined) return <Outcome name={data.name} isApproved={isApproved} />;
  return <Decision code={code} request={data} onDecided={setApproved} />;
}
