import type { Language } from '#server/text/language.ts';
import { api } from './api.ts';
import { notifyChanged } from './cache.ts';

/** Keeps the language that was chosen to write to a client in, which the next text is offered in. */
export function saveClientLanguage(clientId: number, language: Language): void {
  // A user who may not change clients, or is offline, still writes in it.
  api.patch(`/api/clients/${clientId}`, { language }).then(notifyChanged, () => {});
}
