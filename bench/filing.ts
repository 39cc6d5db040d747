import { setTimeout as wait } from 'node:timers/promises';
import type { Suggestion, Suggestions } from '#server/filing/contract.ts';
import { openBrowser } from '#server/testing/browser.ts';
import { Client } from './client.ts';
import type { Figure } from './measure.ts';
import { timed } from './measure.ts';
import { scratchFolder, startServer } from './server.ts';
import { print } from './unseen.ts';
import { LAYOUTS } from './unseen/all.ts';
import { scanned } from './unseen/degrade.ts';
import type { Paper } from './unseen/paper.ts';
import type { Party } from './unseen/people.ts';
import { company, individual, limited, of } from './unseen/people.ts';
import { Dice } from './unseen/random.ts';

/** The number of papers, that of scans among them, and the seed of the generator. */
const PAPERS = Number(process.env.BENCH_FILES ?? 500);
const SCANS = Number(process.env.BENCH_SCANS ?? 40);
const SEED = Number(process.env.BENCH_SEED ?? 7);
const CORRECTIONS_MAX = 25;
const AT_ONCE = 200;

interface ClientPaper {
  paper: Paper;
  client: Party;
}

export const cast = (dice: Dice): Party[] => [
  limited(dice),
  limited(dice),
  limited(dice),
  company(dice),
  company(dice),
  individual(dice),
  individual(dice),
  individual(dice),
];

/** Whether a reader could tell that a paper belongs to a client: it names the client, and no PAN of somebody else. */
function isOf({ name, pan, gstin }: Party, { html, fields }: Paper): boolean {
  const panOfPaper = fields.get('pan');
  if (panOfPaper !== undefined && panOfPaper !== pan) return false;
  const text = html.replace(/<[^>]+>/g, ' ').toUpperCase();
  return [name, pan, gstin].some(
    (word) => text.includes(word.toUpperCase().replaceAll('&', '&AMP;')) || text.includes(word.toUpperCase()),
  );
}

/** Papers of all layouts in turn, each of a random client whom the layout fits. */
function mixedPapers(clients: readonly Party[], dice: Dice): ClientPaper[] {
  const papers: ClientPaper[] = [];
  for (let nth = 0; papers.length < PAPERS; nth += 1) {
    const client = dice.pick(clients);
    const layout = LAYOUTS[nth % LAYOUTS.length]!;
    const paper = of(client, () => layout(SEED * 1_000_003 + nth));
    if (paper && paper.type !== null && isOf(client, paper)) papers.push({ paper, client });
  }
  return papers;
}

async function loadSuggestions(client: Client): Promise<Suggestions> {
  return client
    .call<{ data: Suggestions } & Suggestions>('GET', '/api/filing')
    .then((body) => body.data ?? body);
}

async function filesToRead(client: Client): Promise<number> {
  const { data } = await client.call<{ data: { waiting: number } }>('GET', '/api/reading');
  return data.waiting;
}

/** What a person would have to correct before the paper is filed. */
function wrongIn(suggestion: Suggestion, { paper, client }: ClientPaper): string[] {
  const faults: string[] = [];
  if (suggestion.type !== paper.type) faults.push(`type ${suggestion.type}`);
  if (suggestion.client?.name !== client.name) faults.push(`client ${suggestion.client?.name ?? 'none'}`);
  if (
    paper.year !== null &&
    suggestion.period !== null &&
    !suggestion.folder.join('/').includes(String(paper.year)) &&
    suggestion.client
  )
    faults.push(`year ${suggestion.folder.join('/')}`);
  return faults;
}

/**
 * Measures automatic filing: the share of mixed papers of eight clients, uploaded together, that are filed without a user.
 * BENCH_FILES, BENCH_SCANS and BENCH_SEED choose the papers; with BENCH_KEEP the server runs on until Enter is pressed.
 */
export async function filing(): Promise<Figure[]> {
  const dice = new Dice(SEED);
  const clients = cast(dice);
  const papers = mixedPapers(clients, dice);
  const browser = await openBrowser();
  const printed = await print(
    browser,
    papers.map(({ paper }) => paper),
  ).finally(() => browser.close());
  const server = await startServer(await scratchFolder(), { TRASH_DAYS: '0' });
  try {
    const client = await Client.register(server.url);
    for (const { name, pan, gstin } of clients)
      await client.call('POST', '/api/clients', {
        name,
        pan,
        ...(pan[3] === 'P' ? {} : { gstin, client_type: 'Company' }),
      });
    const byId = new Map<number, ClientPaper>();
    const uploading = await timed(async () => {
      for (const [index, { pdf }] of printed.entries()) {
        const isScan =
          index % Math.max(1, Math.floor(PAPERS / Math.max(1, SCANS))) === 0 &&
          papers[index]!.paper.rows === null &&
          SCANS > 0;
        const bytes = isScan ? await scanned(pdf, new Dice(index)) : pdf;
        const name =
          isScan || dice.chance(0.4)
            ? `scan${String(index).padStart(4, '0')}.pdf`
            : `Document (${index}).pdf`;
        byId.set(await client.upload(name, bytes.length, bytes), papers[index]!);
      }
    });
    console.error(`uploaded in ${uploading.toFixed(0)} s: ${server.url}, ${client.email} ${client.password}`);
    const reading = await timed(async () => {
      while ((await filesToRead(client)) > 0) await wait(1000);
    });
    const { peak } = await server.memory();
    const rounds = { accepted: 0, wrong: 0 };
    const filedIds = new Set<number>();
    for (let round = 0; round < 20; round += 1) {
      const { suggestions } = await loadSuggestions(client);
      const sure = suggestions.filter((suggestion) => suggestion.sure && suggestion.client).slice(0, AT_ONCE);
      if (sure.length === 0) break;
      for (const suggestion of sure) {
        const faults = wrongIn(suggestion, byId.get(suggestion.item.id)!);
        if (faults.length === 0) continue;
        rounds.wrong += 1;
        console.error(
          `sure and wrong: ${byId.get(suggestion.item.id)!.paper.type} ${byId.get(suggestion.item.id)!.paper.layout}: ${faults.join(', ')}`,
        );
      }
      await client.call('POST', '/api/filing', {
        files: sure.map((suggestion) => ({
          id: suggestion.item.id,
          client_id: suggestion.client!.id,
          folder: suggestion.folder,
          name: suggestion.name,
          seen: { name: suggestion.item.name, parent_id: suggestion.item.parent_id },
        })),
      });
      rounds.accepted += sure.length;
      for (const { item } of sure) filedIds.add(item.id);
    }
    const open = [...byId.keys()].filter((id) => !filedIds.has(id));
    const unfiled: Suggestion[] = [];
    for (let start = 0; start < open.length; start += 100) {
      const ids = open.slice(start, start + 100).join(',');
      const { data } = await client.call<{ data: Suggestions }>('GET', `/api/filing?ids=${ids}`);
      unfiled.push(...data.suggestions);
    }
    let corrections = rounds.wrong;
    let confirmed = 0;
    for (const suggestion of unfiled) {
      const filed = byId.get(suggestion.item.id)!;
      const faults = wrongIn(suggestion, filed);
      if (faults.length > 0) corrections += 1;
      else confirmed += 1;
      console.error(
        `left: ${filed.paper.type} ${filed.paper.layout}: ${suggestion.doubts.join(', ')}; ${faults.join(', ') || 'right'}`,
      );
    }
    if (process.env.BENCH_KEEP) await new Promise((resolve) => process.stdin.once('data', resolve));
    return [
      { name: 'filing: papers, of them scans', value: `${PAPERS}, ${SCANS}` },
      { name: 'filing: put in', value: `${uploading.toFixed(0)} s` },
      { name: 'filing: read after that', value: `${reading.toFixed(0)} s` },
      { name: 'filing: memory of the server', value: `${peak.toFixed(0)} MB` },
      { name: 'filing: filed as sure, all at once', value: String(rounds.accepted) },
      { name: 'filing: of these wrong', value: String(rounds.wrong) },
      { name: 'filing: to confirm, and right', value: String(confirmed) },
      {
        name: 'filing: corrections',
        value: String(corrections),
        target: { text: `< ${CORRECTIONS_MAX}`, reached: corrections < CORRECTIONS_MAX },
      },
    ];
  } finally {
    await server.remove();
  }
}
