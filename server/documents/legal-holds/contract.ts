import * as v from 'valibot';
import { reasonOf } from '../seals/contract.ts';

/** A legal hold on a client. Until it is lifted, nothing of the client is deleted for good. */
export interface HoldView {
  id: number;
  client_id: number;
  reason: string;
  /** Who placed it. */
  by: string;
  /** ISO 8601, UTC. */
  at: string;
}

export const placeHold = v.object({ reason: reasonOf('Enter why the documents are held') });
export const liftHold = v.object({ reason: reasonOf('Enter why the hold is lifted') });
export type HoldReason = v.InferOutput<typeof placeHold>;
