import type { ComponentType, LazyExoticComponent } from 'react';
import { lazy } from 'react';

/** Milliseconds: a line that was away for a moment is back then. */
const PAUSE = 800;

/** `lazy` with a second try. What does not load then has gone with an older version: put a Boundary round it. */
export const lazyPart = <Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> =>
  lazy(() =>
    load().catch(async () => {
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      return load();
    }),
  );
