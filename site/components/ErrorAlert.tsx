import * as t from '#messages/team.ts';
import { Alert } from './Alert.tsx';

interface ErrorAlertProps {
  /** The server's error; undefined renders nothing. */
  error: { text: string; code: string } | undefined;
}

/** The error of a server call. When the plan's user limit was reached, it links to the plans. */
export const ErrorAlert = ({ error }: ErrorAlertProps) =>
  error ? (
    <Alert className="mb-4">
      {error.text}{' '}
      {error.code === 'user_limit' && (
        <a href="/subscription-plans" className="link">
          {t.seePlans}
        </a>
      )}
    </Alert>
  ) : null;
