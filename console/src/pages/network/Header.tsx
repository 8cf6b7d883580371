import { Link, useNavigate } from '@tanstack/react-router';
import type { Network } from '../../../../sdk/src/generated/types.ts';
import { useFeature } from '../../parts/useFeature.ts';
import { useMay } from '../../session/context.tsx';
import { Button, buttonClass, IconButton } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/Menu.tsx';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { stateOf } from '../networks/filter.ts';
import styles from './network.module.css';
import { texts } from './texts.ts';
import { useActions } from './useActions.ts';

export function Header({ network }: { network: Network }) {
  const mayWrite = useMay('networks:write');
  const explorer = useFeature('explorer');
  return (
    <>
      <Link to="/networks" className={styles.back}>
        <Icon name="arrowLeft" /> {texts.back}
      </Link>
      <div className={styles.head}>
        <h1>{network.name}</h1>
        <StateBadge state={stateOf(network)} />
        <span className={styles.chain}>{network.spec.chain.type}</span>
        {explorer && (
          <Link to={explorer.pathOf(network.id)} className={`${buttonClass()} ${styles.explore}`}>
            <Icon name="search" />
            {explorer.label}
          </Link>
        )}
        {mayWrite && <Actions network={network} />}
      </div>
    </>
  );
}

function Actions({ network }: { network: Network }) {
  const actions = useActions(network);
  const navigate = useNavigate();
  const isStopped = stateOf(network) === 'Stopped';
  return (
    <div className={styles.actions}>
      {isStopped ? (
        <Button icon="play" look="primary" isBusy={actions.isWaking} onClick={actions.wake}>
          {texts.wake}
        </Button>
      ) : (
        <Button icon="stop" onClick={actions.stop}>
          {texts.stop}
        </Button>
      )}
      <Menu trigger={<IconButton icon="more" look="plain" label={texts.more} />}>
        <MenuItem icon="refresh" onSelect={actions.restart}>
          {texts.restart}
        </MenuItem>
        <MenuItem icon="alert" onSelect={actions.reset}>
          {texts.reset}
        </MenuItem>
        <MenuItem
          icon="plus"
          onSelect={() => void navigate({ to: '/networks/new', search: { like: network.id } })}
        >
          {texts.like}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon="trash" isDanger onSelect={actions.remove}>
          {texts.remove}
        </MenuItem>
      </Menu>
      <Confirm question={actions.question} onClose={actions.close} />
    </div>
  );
}
