import type { ClientView } from '#server/clients/contract.ts';
import * as t from '#messages/clients.ts';
import { ApiError, messageOf } from '../../lib/apiError.ts';
import { restoreFocus } from '../../lib/keptFocus.ts';
import { readClientId } from './calls.ts';
import { removeClient } from './removeClient.ts';

/** The menu of the row in the place of one that has disappeared, else the search. */
const controlOf = (next: ClientView | undefined) =>
  document.querySelector<HTMLElement>(`[data-id="${next?.id}"] [aria-haspopup]`) ??
  document.querySelector<HTMLElement>('main input[type=search]');

interface List {
  clients: readonly ClientView[];
  refresh: () => Promise<void>;
}

/** Removes a client of the list. @param tell shows why it failed. */
export const useRemoveClient =
  ({ clients, refresh }: List, tell: (failure: string) => void) =>
  async (clientId: string | number | null, name?: string): Promise<void> => {
    const index = clients.findIndex(({ id }) => id === clientId);
    const next = clients[index + 1] ?? clients[index - 1];
    try {
      if (!(await removeClient(readClientId(clientId, t.noDeletion), name))) return;
    } catch (error) {
      const isDeleted = error instanceof ApiError && error.status === 404;
      tell(isDeleted ? t.alreadyDeleted : messageOf(error, t.deleteFailed));
    }
    await refresh();
    restoreFocus(() => controlOf(next));
  };
