import type { Office } from './office.ts';

interface Asked {
  /** The id of the request. */
  id: number;
  client: number;
  /** A selector of its line in the list of requests. */
  line: string;
}

/** Asks a client for these documents, as Asha: a new one unless one is given. */
export async function askClient(
  { world, asha }: Pick<Office, 'world' | 'asha'>,
  rows: string[],
  existing?: number,
): Promise<Asked> {
  const client =
    existing ?? (await world.build.client(asha.actor, 'Meera Iyer', { email: 'meera@example.in' }));
  const { made } = await world.services.requests.office.make(asha.actor, {
    client_ids: [client],
    rows,
    title: 'ITR papers',
    note: '',
    due_on: null,
    language: 'en',
    reminders: { before: null, on: false, after: null },
    send: false,
  });
  const { id } = made[0]!;
  return { id, client, line: `li[data-id="${id}"] button` };
}

/** The value of a field in the open dialog. */
export const valueOf = (office: Office, selector: string): Promise<string> =>
  office.page.$eval(`[role=dialog] ${selector}`, (field) => (field as HTMLInputElement).value);
