import type { Jobs } from '#server/jobs/service.ts';
import type { Sheet, SheetLimits } from './contract.ts';
import type { ProcessLimits } from './reading.ts';
import { readApart } from './reading.ts';

const LIMITS: SheetLimits = { bytes: 25 * 1024 * 1024, rows: 5000, columns: 200, sheets: 100 };
const PROCESS: ProcessLimits = { milliseconds: 20_000, memory: 300 * 1024 * 1024 };
/** Two processes at once, of two firms: together they take no more than one page of a picture. */
const QUEUE = { slots: 2, perFirm: 1, waiting: 8 };

export interface Reading {
  /** Whose file it is: files of one firm are read one after another. */
  firm_id: number;
  limits?: Partial<SheetLimits>;
  /** When it aborts before the file's turn has come, the file is not read. */
  requester?: AbortSignal | undefined;
}

/** Reads tables of text (CSV) and workbooks of Excel (.xlsx, .xlsm), apart from the server and in turn. */
export function createSheets(use: { jobs: Pick<Jobs, 'memoryQueue'>; process?: Partial<ProcessLimits> }) {
  const queue = use.jobs.memoryQueue(QUEUE);
  let count = 0;
  return {
    /**
     * All sheets in their order, up to the limits.
     * @throws {SheetsUnreadable}; {AppError} 503 when too much of the firm's waits already; what `input` throws.
     */
    read(input: Buffer | AsyncIterable<Buffer>, { firm_id, limits, requester }: Reading): Promise<Sheet[]> {
      count += 1;
      return queue.run({ firm_id, key: String(count), requester }, (signal) =>
        readApart(input, { ...LIMITS, ...limits }, { ...PROCESS, ...use.process }, signal),
      );
    },
  };
}
export type Sheets = ReturnType<typeof createSheets>;
