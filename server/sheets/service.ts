import type { Jobs } from '#server/jobs/service.ts';
import type { Sheet, SheetLimits } from './contract.ts';
import type { ProcessLimits } from './reading.ts';
import { readInSandbox } from './reading.ts';

const LIMITS: SheetLimits = { bytes: 25 * 1024 * 1024, rows: 5000, columns: 200, sheets: 100 };
const PROCESS: ProcessLimits = { milliseconds: 20_000, memory: 300 * 1024 * 1024 };
/** Two processes, of two firms: together they use no more memory than reading one scanned page. */
const QUEUE = { slots: 2, perFirm: 1, waiting: 8 };

export interface Reading {
  /** The firm of the file: files of one firm are read one after another. */
  firm_id: number;
  limits?: Partial<SheetLimits>;
  /** If it aborts while the file is queued, the file is not read. */
  requester?: AbortSignal | undefined;
}

/** Reads text tables (CSV) and Excel workbooks (.xlsx, .xlsm) in sandboxed processes, in turn. */
export function createSheets(dependencies: {
  jobs: Pick<Jobs, 'memoryQueue'>;
  process?: Partial<ProcessLimits>;
}) {
  const queue = dependencies.jobs.memoryQueue(QUEUE);
  return {
    /**
     * Reads all sheets in order, up to the limits.
     * @throws {SheetsUnreadable}; {AppError} 503 when too many of the firm's files wait; what `input` throws.
     */
    read(input: Buffer | AsyncIterable<Buffer>, { firm_id, limits, requester }: Reading): Promise<Sheet[]> {
      return queue.run({ firm_id, requester }, (signal) =>
        readInSandbox(input, { ...LIMITS, ...limits }, { ...PROCESS, ...dependencies.process }, signal),
      );
    },
  };
}
export type Sheets = ReturnType<typeof createSheets>;
