import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { systemClock } from '../lib/clock.ts';
import { Loading } from './Loading.tsx';
import { loadPart } from './loadPart.ts';
import { Problem } from './Problem.tsx';
import { texts } from './texts.ts';

/** A component that loads itself; `preload` begins before it is shown, and never fails. */
export type Part<Props> = ((props: Props) => ReactNode) & { preload: () => Promise<void> };

interface Source<Props> {
  component?: ComponentType<Props>;
  error?: unknown;
  load: () => Promise<void>;
}

/**
 * A part of the console in a file of its own, loaded when it is first shown. If its file does not arrive, only the part is
 * missing: it says so in its place, and can be tried again.
 */
export function part<Props extends object>(load: () => Promise<ComponentType<Props>>): Part<Props> {
  let loading: Promise<void> | undefined;
  const source: Source<Props> = {
    load() {
      if (source.component) return Promise.resolve();
      source.error = undefined;
      loading ??= loadPart(load, systemClock)
        .then(
          (component) => {
            source.component = component;
          },
          (error: unknown) => {
            source.error = error;
          },
        )
        .finally(() => {
          loading = undefined;
        });
      return loading;
    },
  };
  const render = (props: Props) => <Shown source={source} props={props} />;
  return Object.assign(render, { preload: source.load });
}

function Shown<Props extends object>({ source, props }: { source: Source<Props>; props: Props }) {
  const [, setDraws] = useState(0);
  const draw = () => setDraws((draws) => draws + 1);
  const load = () => {
    void source.load().then(draw);
    draw();
  };
  const { component: Component, error } = source;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is loaded once; after a failure, by the button.
  useEffect(() => {
    if (!source.component && !source.error) load();
  }, [source]);
  if (Component) return <Component {...props} />;
  if (error) return <Problem title={texts.partFailed} text={texts.partFailedText} retry={load} />;
  return <Loading />;
}
