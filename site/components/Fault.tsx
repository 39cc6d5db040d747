import * as t from '#messages/team.ts';
import { Alert } from './Alert.tsx';

/** What the server said against it; where the plan is too small, with the way to the plans. */
export const Fault = ({ fault }: { fault: { text: string; code: string } | undefined }) =>
  fault ? (
    <Alert className="mb-4">
      {fault.text}{' '}
      {fault.code === 'user_limit' && (
        <a href="/subscription-plans" className="link">
          {t.seePlans}
        </a>
      )}
    </Alert>
  ) : null;
