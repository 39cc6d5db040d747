import { plural } from './language.ts';

// ClientPage.tsx
export const place = 'Legal hold...';
export const title = 'Legal hold';
export const placedBy = (who: string, day: string, reason: string) => `Placed by ${who} on ${day}: ${reason}`;
export const holdAbout =
  'Nothing of this client is deleted forever. What is deleted waits in Trash until the hold is lifted.';
export const more = 'Show the whole reason';
export const less = 'Show less';
export const lift = 'Lift...';

// HoldDialog.tsx
export const placeTitle = (client: string) => `Place a legal hold on ${client}?`;
export const placeAbout =
  'For a notice, an investigation or a dispute: from now on nothing of this client is deleted forever, by anybody or by any rule, until the hold is lifted.';
export const placeStill =
  'People go on working as before. What they delete goes to Trash and stays there. Documents cannot be given to another client, and the client cannot be deleted.';
export const reason = 'Reason';
export const reasonHint = 'Such as ‘Notice under section 148, 3 Apr 2026’';
export const reasonRequired = 'Enter why the documents are held';
export const doPlace = 'Place hold';
export const placed = (client: string) => `Legal hold placed on ${client}`;
export const placeFailed = 'Failed to place the legal hold. Please try again.';
export const liftTitle = (client: string) => `Lift the legal hold on ${client}?`;
export const liftAbout =
  'What has been in Trash longer than its days is deleted forever soon after. Restore first what is still needed.';
export const liftReason = 'Why is it lifted?';
export const liftReasonRequired = 'Enter why the hold is lifted';
export const doLift = 'Lift hold';
export const lifted = (client: string) => `Legal hold on ${client} lifted`;
export const liftFailed = 'Failed to lift the legal hold. Please try again.';

// In Trash
export const held = 'Legal hold';
export const heldAbout =
  'It belongs to a client under a legal hold and stays until the hold is lifted on the client’s page.';
export const keptByHold = (n: number) =>
  plural(n, {
    one: '1 item stays, since a legal hold or a retention rule keeps it.',
    other: '# items stay, since a legal hold or a retention rule keeps them.',
  });
