import type { Actor } from '#server/actor.ts';
import type { Documents } from '#server/documents/service.ts';
import { invalid } from '#server/http/errors.ts';
import type { AppPasswordView, DriveSetting, NewAppPassword } from './contract.ts';
import type { AppPasswords } from './service.ts';
import { NO_FOLDER } from '#server/text/not-there.ts';

/** App passwords with the names of their folders. */
export function createDrivePasswords({
  appPasswords,
  documents,
  setting,
}: {
  appPasswords: AppPasswords;
  documents: Pick<Documents, 'views'>;
  setting: DriveSetting;
}) {
  async function withFolderNames(
    actor: Actor,
    views: readonly AppPasswordView[],
  ): Promise<AppPasswordView[]> {
    const ids = views.flatMap(({ folder_id }) => folder_id ?? []);
    const items = ids.length === 0 ? [] : await documents.views(actor, ids);
    const names = new Map(items.map(({ id, name, path }) => [id, path ? `${path} / ${name}` : name]));
    return views.map((view) => ({ ...view, folder_name: names.get(view.folder_id ?? 0) ?? null }));
  }

  return {
    /** Whether WebDAV is on, and over which protocols. */
    setting,

    /** The user's own, newest first. @param here the user's IP address. */
    list: async (actor: Actor, here: string): Promise<AppPasswordView[]> =>
      withFolderNames(actor, await appPasswords.list(actor, here)),

    /**
     * @returns the new password, which is never shown again, and its view.
     * @throws {AppError} 403; 422 on `name`, `folder_id` and `current_password`; 429.
     */
    async create(
      actor: Actor,
      request: NewAppPassword,
    ): Promise<{ password: string; made: AppPasswordView }> {
      if (request.folder_id !== null) {
        const [folder] = await documents.views(actor, [request.folder_id]);
        if (folder?.type !== 'folder') throw invalid({ folder_id: [NO_FOLDER] });
      }
      const { password, created } = await appPasswords.create(actor, request);
      return { password, made: (await withFolderNames(actor, [created]))[0]! };
    },

    end: appPasswords.end,
  };
}
export type DrivePasswords = ReturnType<typeof createDrivePasswords>;
