import type { Actor } from '#server/auth/contract.ts';

/** Everything leaves the house at once: only for those who manage the firm and may read all of it. */
export const mayExport = ({ permissions }: Actor): boolean =>
  permissions.includes('team.manage') && permissions.includes('documents.read');
