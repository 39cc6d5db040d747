import { Alert } from './Alert.tsx';

export interface ScreenAlertsProps {
  /** The error of the last action. */
  alert: string | null;
  onDismiss: () => void;
  /** Why the screen's data could not be loaded. */
  error: string | null;
  onRetry: () => void;
  retrying: boolean;
}

/** The banners between a screen's bar and its list. */
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
