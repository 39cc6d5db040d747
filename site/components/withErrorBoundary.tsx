import type { ComponentType, ReactNode } from 'react';
import { ErrorBoundary } from './ErrorBoundary.tsx';

/** Wraps an island in an ErrorBoundary, so that an error shows a message instead of a blank part of the page. */
export function withErrorBoundary<Props extends object>(
  Island: ComponentType<Props>,
  fallback?: ReactNode,
): ComponentType<Props> {
  return function WithErrorBoundary(props: Props) {
    return (
      <ErrorBoundary {...(fallback !== undefined && { fallback })}>
        <Island {...props} />
      </ErrorBoundary>
    );
  };
}
