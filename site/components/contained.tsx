import type { ComponentType, ReactNode } from 'react';
import { Boundary } from './Boundary.tsx';

/** An island that says so when it fails, in place of leaving its part of the page blank. */
export function contained<Props extends object>(
  Island: ComponentType<Props>,
  fallback?: ReactNode,
): ComponentType<Props> {
  return function Contained(props: Props) {
    return (
      <Boundary {...(fallback !== undefined && { fallback })}>
        <Island {...props} />
      </Boundary>
    );
  };
}
