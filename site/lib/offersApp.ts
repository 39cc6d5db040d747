import type { Actor } from '#server/actor.ts';
import type { PageServices } from '#server/page-services.ts';

/** Whether the link to the desktop uploader is shown: to all once there is a download, before that to those who can build it. */
export async function offersApp(
  { desktop, system }: Pick<PageServices, 'desktop' | 'system'>,
  actor: Actor,
): Promise<boolean> {
  const { builds } = await desktop.latest();
  return builds.some(({ kind }) => kind === 'setup') || system.may(actor);
}
