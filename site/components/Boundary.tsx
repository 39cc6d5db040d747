import type { ErrorInfo, ReactNode } from 'react';
import { Component } from 'react';
import { CircleAlert } from 'lucide-react';
import * as common from '#messages/common.ts';
import { isLoadFailure, partFailed } from '../lib/update.ts';
import { Button } from './Button.tsx';
import { EmptyState } from './EmptyState.tsx';

interface BoundaryProps {
  children: ReactNode;
  /** Stands in the place of what failed; by default a sentence and Reload. Null where nothing should stand there. */
  fallback?: ReactNode;
  /** Told once, such as to answer the question that cannot be shown. */
  onFailed?: () => void;
  /** Another value is another try: what is within is drawn again. */
  again?: unknown;
}

interface State {
  failed: boolean;
  again: unknown;
}

/** Keeps a fault of one part from taking the page with it, and says what to do. */
export class Boundary extends Component<BoundaryProps, State> {
  override state: State = { failed: false, again: this.props.again };

  static getDerivedStateFromError = (): Partial<State> => ({ failed: true });

  static getDerivedStateFromProps({ again }: BoundaryProps, state: State): Partial<State> | null {
    return Object.is(again, state.again) ? null : { failed: false, again };
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    // oxlint-disable-next-line no-console -- the only trace of it
    console.error('A part of the page failed.', error, componentStack);
    partFailed(isLoadFailure(error) ? 'load' : 'fault');
    this.props.onFailed?.();
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
