import type { RequestSummary } from '#server/requests/contract.ts';
import * as t from '#messages/requests.ts';
import { Badge } from '../../components/Badge.tsx';

/** Who acts next on a request, or that it is complete or closed. */
export const StateBadge = ({
  request: { waiting_for, state },
}: {
  request: Pick<RequestSummary, 'waiting_for' | 'state'>;
}) => (
  <Badge tone={waiting_for === 'office' ? 'warning' : state === 'complete' ? 'success' : 'neutral'}>
    {waiting_for === null ? t.states[state] : t.waitingFor[waiting_for]}
  </Badge>
);
