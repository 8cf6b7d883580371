import { useState } from 'react';
import type { Deployment, Token } from '../../../../sdk/src/generated/types.ts';
import { Address, HashLink, NetworkLink, useNetworkName } from '../../parts/links.tsx';
import { useInside, useMay } from '../../session/context.tsx';
import { Button } from '../../ui/Button.tsx';
import { Confirm, type Question } from '../../ui/Confirm.tsx';
import page from '../../ui/page.module.css';
import { StateBadge } from '../../ui/StateBadge.tsx';
import surface from '../../ui/surface.module.css';
import { Scrolled } from '../../ui/table/Scrolled.tsx';
import { tell, tellFailure } from '../../ui/toasts.ts';
import { canRetry, stateOf } from '../tokens/matrix.ts';
import { texts } from './texts.ts';
import styles from './token.module.css';

const { columns } = texts;

/** Each network of the token, as it is now. */
export function Deployments({ token }: { token: Token }) {
  const actions = useDeploymentActions(token);
  const mayWrite = useMay('tokens:write');
  const { deployments = [] } = token;
  const failed = deployments.filter(canRetry).map(({ network_id }) => network_id);
  return (
    <div className={page.stack}>
      {mayWrite && failed.length > 1 && (
        <div>
          <Button icon="refresh" onClick={() => actions.retry(failed)}>
            {texts.retryAll(failed.length)}
          </Button>
        </div>
      )}
      <Scrolled label={texts.deploymentsLabel} className={surface.card}>
        <table className={page.plainTable}>
          <thead>
            <tr>
              <th scope="col">{columns.network}</th>
              <th scope="col">{columns.state}</th>
              <th scope="col">{columns.address}</th>
              <th scope="col">{columns.transaction}</th>
              {mayWrite && <th scope="col">{columns.actions}</th>}
            </tr>
          </thead>
          <tbody>
            {deployments.map((one) => (
              <Row key={one.network_id} deployment={one} actions={mayWrite ? actions : undefined} />
            ))}
          </tbody>
        </table>
      </Scrolled>
      <Confirm question={actions.question} onClose={actions.close} />
    </div>
  );
}

type Actions = ReturnType<typeof useDeploymentActions>;

function useDeploymentActions({ id }: Token) {
  const { client, observe } = useInside();
  const nameOf = useNetworkName();
  const [question, setQuestion] = useState<Question>();
  return {
    question,
    close: () => setQuestion(undefined),
    /** Without args, each keeps those that it has. */
    retry(networks: string[]) {
      client.tokens.addDeployments(id, { networks }).then((token) => {
        observe(token);
        tell(texts.retried);
      }, tellFailure);
    },
    forget: (network: string) =>
      setQuestion({
        title: texts.forgetTitle(nameOf(network)),
        text: texts.forgetText,
        action: texts.forget,
        isDanger: true,
        run: async () => {
          await client.tokens.deleteDeployment({ token_id: id, network_id: network });
          tell(texts.forgotten);
        },
      }),
  };
}

interface RowProps {
  deployment: Deployment;
  actions: Actions | undefined;
}

function Row({ deployment, actions }: RowProps) {
  const { network_id, token_address, message, deployment_tx, extra_addresses = {} } = deployment;
  const name = useNetworkName()(network_id);
  return (
    <tr>
      <th scope="row">
        <NetworkLink id={network_id} />
      </th>
      <td className={styles.state}>
        <StateBadge state={stateOf(deployment)} />
        {message && <small>{message}</small>}
      </td>
      <td>
        {token_address && <Address network={network_id} address={token_address} />}
        <Extra network={network_id} addresses={extra_addresses} />
      </td>
      <td>{deployment_tx && <HashLink network={network_id} hash={deployment_tx} />}</td>
      {actions && (
        <td>
          <span className={page.actions}>
            {canRetry(deployment) && (
              <Button
                isSmall
                icon="refresh"
                onClick={() => actions.retry([network_id])}
                aria-label={`${texts.retry}: ${name}`}
              >
                {texts.retry}
              </Button>
            )}
            <Button
              isSmall
              look="quiet"
              onClick={() => actions.forget(network_id)}
              aria-label={`${texts.forget}: ${name}`}
            >
              {texts.forget}
            </Button>
          </span>
        </td>
      )}
    </tr>
  );
}

function Extra({ network, addresses }: { network: string; addresses: Record<string, string> }) {
  const entries = Object.entries(addresses);
  if (entries.length === 0) return null;
  return (
    <details className={styles.extra}>
      <summary>{columns.more}</summary>
      <dl>
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{name.replaceAll('_', ' ')}</dt>
            <dd>
              <Address network={network} address={value} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
