import type { RequestSummary } from '#server/requests/contract.ts';
import * as t from '#messages/requests.ts';
import { Badge } from '../../components/Badge.tsx';

/** Who acts next on a request, or that it is complete or closed; and what came already, while the client has to send more. */
export const StateBadge = ({
  request: { waiting_for, to_judge, state },
}: {
  request: Pick<RequestSummary, 'waiting_for' | 'to_judge' | 'state'>;
}) => (
  <>
    <Badge tone={waiting_for === 'office' ? 'warning' : state === 'complete' ? 'success' : 'neutral'}>
      {waiting_for === null ? t.states[state] : t.waitingFor[waiting_for]}
    </Badge>
    {waiting_for === 'client' && to_judge > 0 && (
      <>
        {' '}
        <Badge tone="warning">{t.toJudge(to_judge)}</Badge>
      </>
    )}
  </>
);
