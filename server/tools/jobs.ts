import type { RunKind } from '../backups/contract.ts';
import type { ListedJob } from '../jobs/overview.ts';
import { momentInWords } from '../text/day-in-india.ts';
import { plural } from '../text/plural.ts';
import type { Command } from './command.ts';
import { withServices } from './services-alongside.ts';

export const jobs: Command = {
  summary: 'list what the server does beside answering: running, waiting, failed',
  args: [],
  options: {},
  help: `Extractions, e-mails, and what the server does again and again with what came of it last. May run beside the
server. What is due is begun by the running server within moments, unless it is busy. Pictures of files are not in it: they are made while
somebody waits. Exit code 1 when anything has failed; that is forgotten after a week, of e-mails after a month.`,

  async run({ env, say }) {
    const [overview, failures, idle] = await withServices(env, async ({ jobs, backups }) => {
      const all = await jobs.overview();
      const now = new Date().toISOString();
      const unneeded = new Set<string>();
      for (const { kind, status, due_at } of all.recurring)
        if (status === 'starting' && due_at <= now && (await jobs.isIdle(kind))) unneeded.add(kind);
      return [all, await backups.failures(), unneeded];
    });
    const { recurring, running, waiting, failed } = overview;
    const ofBackups = new Map([...failures].map(([kind, message]) => [JOBS_OF_RUNS[kind], message]));
    const list = (title: string, rows: readonly ListedJob[], line: (row: ListedJob) => string) => {
      say(`${title}: ${rows.length === 0 ? 'none' : ''}`);
      for (const row of rows) say(`  ${line(row)}`);
    };
    list('Again and again', recurring, (row) => {
      const waits = idle.has(row.kind) ? 'nothing to do now' : `due ${at(row.due_at)}`;
      const state = row.status === 'processing' ? `running since ${at(row.started_at)}` : waits;
      const failure = ofBackups.get(row.kind);
      if (failure !== undefined) return `${row.kind.padEnd(24)} ${state}  last: FAILED, ${failure}`;
      const never = idle.has(row.kind) ? 'Not needed yet' : row.message;
      const last = row.finished_at ? `${at(row.finished_at)} ${row.message}` : never;
      return `${row.kind.padEnd(24)} ${state}  last: ${failing(row)}${last}`;
    });
    list('Running', running, (row) => `${name(row)}  ${row.progress} %  since ${at(row.started_at)}`);
    list(`Waiting (${waiting.all})`, waiting.jobs, (row) => {
      return `${name(row)}  due ${at(row.due_at)}${row.attempts > 0 ? `  ${tried(row)}` : ''}`;
    });
    list('Failed', failed, (row) => `${name(row)}  ${at(row.finished_at)}  ${tried(row)}`);
    return failed.length === 0 && failures.size === 0 && recurring.every((row) => row.code === null);
  },
};

const tried = ({ attempts, message }: ListedJob): string =>
  `${plural('en', attempts, { one: 'tried once', other: 'tried # times' })}: ${message}`;

/** The moment in India, as everywhere else. */
const at = (moment: string | null): string => (moment ? momentInWords(new Date(moment)) : 'not yet');

/** The jobs of the runs of the backups. */
const JOBS_OF_RUNS: Record<RunKind, string> = {
  backup: 'nightly-backup',
  proof: 'verify-backups',
  trial: 'trial-restore',
};

const name = ({ id, kind, subject, firm }: ListedJob): string =>
  `${id}  ${kind} ${subject}  ${firm ?? 'the server'}`;

const failing = ({ code, attempts }: ListedJob): string =>
  code === null ? '' : `FAILED ${attempts} times, `;
