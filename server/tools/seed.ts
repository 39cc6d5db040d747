import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { pino } from 'pino';
import * as v from 'valibot';
import { createZip } from '../archive/write/zip.ts';
import type { Actor } from '#server/actor.ts';
import { fieldRules } from '../auth/contract.ts';
import { clientInput } from '../clients/contract.ts';
import { AppError } from '../http/errors.ts';
import type { Services } from '../services.ts';
import { compose } from '../services.ts';
import type { DataDir } from '../datadir/datadir.ts';
import { openDataDir } from '../datadir/datadir.ts';
import { readUnlockedConfig } from './ask-passphrase.ts';
import type { Command } from './command.ts';
import { fill } from './fill.ts';
import { Refused } from './refused.ts';
import { ledger, pdf, photo } from './samples.ts';

export const seed: Command = {
  summary: 'make an office to look around in',
  args: [],
  options: {
    email: { type: 'string' },
    password: { type: 'string' },
    items: { type: 'string' },
    'per-folder': { type: 'string' },
  },
  help: `Adds a firm with two clients, folders for their years and a few documents to DATA_DIR, and prints how to sign in.
Stop the server first.

  --email ADDRESS    of its user (asha@example.in)
  --password TEXT    by default a new one is made
  --items N          and N more small files, to see how it is with many
  --per-folder N     so many of them in one folder (500)`,

  async run({ options, env, say }) {
    const email = checked('--email', fieldRules.email, options.email ?? 'asha@example.in');
    const password = checked(
      '--password',
      fieldRules.password,
      options.password ?? randomBytes(9).toString('base64url'),
    );
    const items = wholeNumber(options.items, '--items', 0);
    const perFolder = wholeNumber(options['per-folder'], '--per-folder', 500);
    const log = pino({ level: 'silent' });
    const config = await readUnlockedConfig(env);
    const vault = await openDataDir(config, log).catch((error: Error) => {
      throw new Refused(error.message);
    });
    const services = compose({ ...vault, config: { abuseLimits: false }, log, clock: () => new Date() });
    try {
      const actor = await register(services, email, password);
      await furnish(vault, services, actor);
      if (items > 0) await fill(vault, services, actor, { items, perFolder });
      say(`E-mail:   ${email}\nPassword: ${password}`);
      return true;
    } finally {
      await services.stop();
      await vault.close();
    }
  },
};

/** @throws {Refused} for what the sign-in page does not accept: nobody could sign in with it. */
function checked(name: string, rule: v.GenericSchema<unknown, string>, value: unknown): string {
  const { success, output, issues } = v.safeParse(rule, value);
  if (success) return output;
  throw new Refused(`${name}: ${issues[0].message}. Nothing was made.`);
}

function wholeNumber(option: string | boolean | undefined, name: string, fallback: number): number {
  if (option === undefined) return fallback;
  if (!/^[1-9]\d{0,6}$/.test(String(option)))
    throw new Refused(`${name} takes a whole number up to 9,999,999.`);
  return Number(option);
}

async function register({ auth }: Services, email: string, password: string): Promise<Actor> {
  const entry = await auth
    .register(
      {
        name: 'Asha Rao',
        email,
        password,
        password_confirmation: password,
        ca_license_number: 'MRN123456',
        phone: '9876543210',
        firm_name: 'Rao & Associates',
        terms_accepted: true,
      },
      { ip: '127.0.0.1', userAgent: 'npm run admin -- seed' },
    )
    .catch((error: unknown) => {
      throw error instanceof AppError ? new Refused(error.message) : error;
    });
  return (await auth.identifyByCookie(entry.cookie))!;
}

const CLIENTS = [
  {
    name: 'Sharma Traders',
    email: 'accounts@sharma.example.in',
    phone: '9820012345',
    client_type: 'Company',
    city: 'Pune',
  },
  {
    name: 'Meera Iyer',
    email: 'meera@example.in',
    phone: '9840054321',
    client_type: 'Individual',
    city: 'Chennai',
  },
];

async function furnish({ blobs }: DataDir, { documents, clients }: Services, actor: Actor): Promise<void> {
  const put = async (parent_id: number | null, name: string, content: string | Buffer | Readable) => {
    const source = content instanceof Readable ? content : Readable.from([Buffer.from(content)]);
    await documents.addFile(actor, { name, parent_id, client_id: null, blob: await blobs.put(source) });
  };
  const folder = async (name: string, parent_id: number | null = null, client_id: number | null = null) =>
    (await documents.addFolder(actor, { name, parent_id, client_id })).id;
  for (const client of CLIENTS) {
    const { id } = await clients.create(actor, v.parse(clientInput, client));
    const top = await folder(client.name, null, id);
    for (const year of [2024, 2025]) {
      const span = `FY ${year}-${(year + 1) % 100}`;
      const inside = await folder(span, top);
      await put(inside, `Computation of income ${span}.pdf`, computation(client.name, span));
      await put(inside, `Ledger ${span}.csv`, ledger(year));
    }
    await put(top, 'Letter of engagement.txt', `Engagement of Rao & Associates by ${client.name}.\n`);
  }
  const office = await folder('कार्यालय');
  await put(office, 'View from the office.png', photo());
  await put(office, 'पता.txt', 'राव एंड एसोसिएट्स, पुणे\n');
  await folder('Scans to sort');
  await put(null, 'Ledgers of all years.zip', ledgers());
}

const computation = (client: string, span: string): Buffer =>
  pdf([
    [client, `Computation of income, ${span}`, '', 'Prepared by Rao & Associates', 'Chartered Accountants'],
    [
      'Income',
      '',
      'Business income            12,40,000',
      'Interest from bank            18,250',
      'Gross total income         12,58,250',
    ],
    [
      'Deductions and tax',
      '',
      'Section 80C                 1,50,000',
      'Total income               11,08,250',
      '',
      'Signed: ____________________',
    ],
  ]);

function ledgers(): Readable {
  const entries = [2022, 2023, 2024, 2025].map((year) => {
    const content = Buffer.from(ledger(year));
    return {
      path: ['Ledgers', `Ledger ${year}.csv`],
      type: 'file' as const,
      size: content.length,
      modifiedAt: new Date(Date.UTC(year + 1, 2, 31)),
      open: async () => Readable.from([content]),
    };
  });
  return createZip(entries).open();
}
