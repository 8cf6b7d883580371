import type { Asked } from '../../../../../console/src/feature.ts';
import { useInside } from '../../../../../console/src/session/context.tsx';
import { Card } from '../../../../../console/src/ui/Card.tsx';
import { Code } from '../../../../../console/src/ui/code/Code.tsx';
import surface from '../../../../../console/src/ui/surface.module.css';
import { useChain, useExplored } from '../../context.tsx';
import { Loaded } from '../../parts/Loaded.tsx';
import { Rows } from '../../parts/Rows.tsx';
import { texts } from '../../texts.ts';

interface SourceProps {
  address: string;
  read: NonNullable<Asked['contractSource']>;
}

/** The source of a verified contract. */
export function Source({ address, read }: SourceProps) {
  const { client } = useInside();
  const { network } = useExplored();
  const contract = useChain(['source', address], () => read(client, { id: network.id, address }));
  return (
    <Loaded of={contract}>
      {({ sources, abi, compiler, match }) => (
        <Card title={texts.sources}>
          <Rows
            rows={[
              [texts.compiler, compiler],
              [texts.verified, match],
            ]}
          />
          <div className={surface.cardBody}>
            {Object.entries(sources).map(([path, text]) => (
              <div key={path}>
                <h3>{path}</h3>
                <Code label={path} text={text} />
              </div>
            ))}
            <h3>{texts.abi}</h3>
            <Code label={texts.abi} text={JSON.stringify(abi, undefined, 2)} />
          </div>
        </Card>
      )}
    </Loaded>
  );
}
