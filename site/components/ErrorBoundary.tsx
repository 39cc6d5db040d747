import type { ErrorInfo, ReactNode } from 'react';
import { Component } from 'react';
import { CircleAlert } from 'lucide-react';
import * as common from '#messages/common.ts';
import { isLoadFailure, reportPartFailure } from '../lib/update.ts';
import { Button } from './Button.tsx';
import { EmptyState } from './EmptyState.tsx';

interface ErrorBoundaryProps {
  children: ReactNode;
  /** Rendered in place of the failed children; null renders nothing. The default is a message with a Reload button. */
  fallback?: ReactNode;
  /** Called once per error, e.g. to answer a question whose dialog cannot be rendered. */
  onError?: () => void;
  /** When this value changes, the children are rendered again. */
  resetKey?: unknown;
}

interface State {
  failed: boolean;
  resetKey: unknown;
}

/** A React error boundary: limits an error to one part of the page and tells the user what to do. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = { failed: false, resetKey: this.props.resetKey };

  static getDerivedStateFromError = (): Partial<State> => ({ failed: true });

  static getDerivedStateFromProps({ resetKey }: ErrorBoundaryProps, state: State): Partial<State> | null {
    return Object.is(resetKey, state.resetKey) ? null : { failed: false, resetKey };
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    // oxlint-disable-next-line no-console -- the error is reported nowhere else
    console.error('A part of the page failed.', error, componentStack);
    reportPartFailure(isLoadFailure(error) ? 'load' : 'fault');
    this.props.onError?.();
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return this.props.fallback === undefined ? <Failed /> : this.props.fallback;
  }
}

const Failed = () => (
  <EmptyState
    icon={<CircleAlert size={26} />}
    title={common.partFailed}
    actions={
      <Button variant="primary" onPress={() => location.reload()}>
        {common.reload}
      </Button>
    }
  >
    {common.partFailedAbout}
  </EmptyState>
);
