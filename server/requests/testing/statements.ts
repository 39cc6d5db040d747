import type { Office } from './office.ts';
import { pdf, sender } from './office.ts';

export const accept = { state: 'accepted', reason: '' } as const;
export const undo = { state: 'received', reason: '' } as const;
export const sendBack = (reason: string) => ({ state: 'returned', reason }) as const;
export const WRONG_YEAR = sendBack('This is of 2024-25');

/** A client who has sent these statements for one row, and what the office says to each by its name. */
export async function statements(office: Office, names: string[], rows = ['Bank statement']) {
  const { services, asha, address } = office;
  const asked = await office.ask(rows);
  const meera = sender(office, address, asked.url);
  const { office: requests } = services.requests;
  const view = () => requests.view(asha.actor, asked.id);
  const idOf = async (name: string) =>
    (await view()).rows.flatMap(({ files }) => files).findLast((file) => file.name === name)!.id;
  const send = async (...some: string[]) => {
    await meera.files(
      asked.rows[0]!,
      some.map((name) => [name, pdf(name)]),
    );
  };
  // Each step is later than the one before it.
  office.tick(1);
  await send(...names);
  return {
    ...asked,
    meera,
    view,
    send,
    idOf,
    judge: (how: Parameters<typeof requests.judge>[3]) =>
      requests.judge(asha.actor, asked.id, asked.rows[0]!, how),
    judgeFile: async (name: string, how: Parameters<typeof requests.judgeFile>[3]) =>
      requests.judgeFile(asha.actor, asked.id, await idOf(name), how),
    /** The state of the row, its reason, and what became of its files. */
    async row() {
      const [{ state, reason, files }] = (await view()).rows as [Awaited<ReturnType<typeof view>>['rows'][0]];
      return [state, reason, files.map(({ judged, judged_reason }) => judged_reason ?? judged)];
    },
    /** The same as the client sees it. */
    async asked() {
      const { state, reason, files, returned } = (await meera.open()).rows[0]!;
      return [
        state,
        reason,
        files.map(({ name, accepted }) => `${name}${accepted ? ' ✓' : ''}`),
        returned.map(({ name, reason }) => [name, reason]),
      ];
    },
  };
}
