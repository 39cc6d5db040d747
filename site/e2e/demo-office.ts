import { randomBytes } from 'node:crypto';
import type { Actor } from '#server/actor.ts';
import type { World } from '#server/testing/world.ts';

const HOUR = 60 * 60_000;
const KB = 1024;

const CLIENTS = [
  ['Sharma Traders', 'Company', 'Pune', '27AAPFS1234A1ZX'],
  ['Meera Iyer', 'Individual', 'Chennai', ''],
  ['Bharat Exports LLP', 'Company', 'Surat', ''],
  ['Dr Nikhil Kulkarni', 'Individual', 'Nashik', ''],
  ['Gupta & Sons', 'Company', 'Indore', ''],
  ['Fatima Shaikh', 'Individual', 'Mumbai', ''],
] as const;

/** Fills an office as after a few years of work: clients, a folder for each of their years, documents in them. */
export async function fillDemoOffice(
  world: World,
  actor: Actor,
  pdf: Buffer,
): Promise<{ year: number; pdf: number }> {
  const { build, services, advance } = world;
  const addFile = async (
    parent_id: number | null,
    name: string,
    size: number | Buffer,
    client_id: number | null,
  ) => {
    advance(HOUR);
    const content = typeof size === 'number' ? randomBytes(size) : size;
    return build.file(actor, { name, content, parent_id, client_id });
  };
  const ids = { year: 0, pdf: 0 };
  for (const [name, client_type, city] of CLIENTS.toReversed()) {
    const client = await services.clients.create(actor, {
      name,
      client_type,
      city,
      status: 'Active',
      email: `${name.split(' ')[0]!.toLowerCase()}@example.in`,
      phone: '9820012345',
    } as never);
    const top = await services.documents.createFolder(actor, { name, parent_id: null, client_id: client.id });
    for (const yearFolder of ['FY 2023-24', 'FY 2024-25', 'FY 2025-26']) {
      advance(26 * HOUR);
      const inside = await services.documents.createFolder(actor, {
        name: yearFolder,
        parent_id: top.id,
        client_id: client.id,
      });
      const year = yearFolder.slice(3);
      await addFile(inside.id, `Form 16 ${year}.pdf`, 214 * KB, client.id);
      await addFile(inside.id, `26AS ${year}.pdf`, 96 * KB, client.id);
      if (name !== 'Sharma Traders') continue;
      await addFile(inside.id, `Bank statement SBI ${year}.xlsx`, 388 * KB, client.id);
      await addFile(inside.id, `GSTR-3B April to March ${year}.zip`, 2300 * KB, client.id);
      await addFile(inside.id, `Tax audit report 3CD ${year}.pdf`, 640 * KB, client.id);
      await addFile(inside.id, `Balance sheet ${year}.docx`, 128 * KB, client.id);
      await addFile(inside.id, `किराया अनुबंध ${year}.pdf`, 310 * KB, client.id);
      const sheet = await addFile(inside.id, `Computation of income ${year}.pdf`, pdf, client.id);
      if (yearFolder === 'FY 2025-26') Object.assign(ids, { year: inside.id, pdf: sheet.id });
    }
  }
  await addFile(null, 'Scans of 20 November.zip', 5200 * KB, null);
  await addFile(null, 'Fee register FY 2025-26.xlsx', 84 * KB, null);
  await addFile(null, 'Office rent agreement.pdf', 420 * KB, null);
  await services.subscription.startTrial(actor);
  return ids;
}
