import type { ClientView } from '#server/clients/contract.ts';
import * as t from '#messages/clients.ts';
import { ApiError, messageOf } from '../../lib/apiError.ts';
import { readClientId } from './calls.ts';
import { removeClient } from './removeClient.ts';

/** The frames that the confirmation takes to close, at most. */
const CLOSING_FRAMES = 30;

/** Moves the focus of a row that has disappeared to the row in its place, else to the search. */
function restoreFocus(next: ClientView | undefined, framesLeft = CLOSING_FRAMES): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) {
      if (framesLeft > 0) restoreFocus(next, framesLeft - 1);
      return;
    }
    const row = document.querySelector<HTMLElement>(`[data-id="${next?.id}"] [aria-haspopup]`);
    (row ?? document.querySelector<HTMLElement>('main input[type=search]'))?.focus();
  });
}

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
    restoreFocus(next);
  };
