import { Socket } from 'node:net';
import { createUnframer, framed } from './frames.ts';

/** What a process that reads files has for an answer. */
export type Outcome<Made> = Made | { fault: string };

/** Where answers go; what libraries print goes nowhere. */
const ANSWERS = 3;

/**
 * To be called once by a process that reads files: it is given one order after another and answers each, until whoever
 * started it is gone. What `work` throws is answered as a fault.
 */
export function answerOrders<Order, Made extends object>(work: (order: Order) => Promise<Made>): void {
  const answers = new Socket({ fd: ANSWERS, readable: false, writable: true });
  const orders = createUnframer({ text: Infinity, all: Infinity });

  async function answer(order: Order): Promise<void> {
    const made: Outcome<Made> = await work(order).catch((error: unknown) => ({
      fault: error instanceof Error ? error.message : String(error),
    }));
    for (const piece of framed(made)) answers.write(piece);
  }

  process.stdin.on('data', (piece: Buffer) => {
    for (const order of orders.add(piece)) void answer(order as Order);
  });
  process.stdin.on('end', () => process.exit(0)).on('error', () => process.exit(0));
  answers.on('error', () => process.exit(0));
}
