import type { MakeShare, NewShare } from '#server/sharing/contract.ts';
import { newLink } from '#server/sharing/testing/recipient.ts';
import type { Office } from './office.ts';

/** Makes a link to these items, as Asha: for anyone, with downloads, unless overridden. */
export const shareLink = (
  { world, asha }: Pick<Office, 'world' | 'asha'>,
  ids: number[],
  more?: Partial<MakeShare>,
): Promise<NewShare> => world.services.sharing.links.make(asha.actor, newLink(ids, more));

/** `shareLink` that returns the path of the link. */
export const pathOfLink = async (...link: Parameters<typeof shareLink>): Promise<string> =>
  new URL((await shareLink(...link)).url).pathname;
