'use client';
import { Component, type ReactNode } from 'react';
import { FailedState } from './states';

/** Keeps a fault inside its panel: the rest of the page goes on, and a click tries again. */
export class PanelBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const digest = 'digest' in error && typeof error.digest === 'string' ? error.digest : undefined;
    return (
      <FailedState
        title="This part could not be shown"
        text="The rest of the page is not affected. Nothing was changed."
        reference={digest}
        onRetry={() => this.setState({ error: null })}
      />
    );
  }
}
