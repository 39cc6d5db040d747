import { Alert } from './Alert.tsx';

export interface ScreenAlertsProps {
  /** What went wrong with something that was done. */
  alert: string | null;
  onDismiss: () => void;
  /** Why what the screen shows could not be loaded. */
  error: string | null;
  onRetry: () => void;
  retrying: boolean;
}

/** Stand between a screen's bar and its list. */
export const ScreenAlerts = ({ alert, onDismiss, error, onRetry, retrying }: ScreenAlertsProps) => (
  <>
    {alert && (
      <Alert onDismiss={onDismiss} className="mt-2">
        {alert}
      </Alert>
    )}
    {error && (
      <Alert onRetry={onRetry} retrying={retrying} className="mt-2">
        {error}
      </Alert>
    )}
  </>
);
