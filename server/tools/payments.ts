import { momentInWords } from '../text/day-in-india.ts';
import type { Command } from './command.ts';
import { WrongUsage } from './refused.ts';
import { withServices } from './services-alongside.ts';

export const payments: Command = {
  summary: 'list payments, or ask the gateway about all of them',
  args: ['list|reconcile'],
  options: {},
  help: `list        the newest 200, with those that need a look marked
reconcile   asks the gateway about every order there is, and puts right what was missed; may run beside the server`,

  async run({ args: [action = ''], env, say }) {
    if (action === 'reconcile') {
      const { asked, paid, refused, reached } = await withServices(env, async ({ audit, payments: all }) => {
        const sum = await all.reconcileAll();
        await audit.recordAlone({ did: 'payments.reconcile', detail: { ...sum } });
        return sum;
      });
      say(
        `Asked about ${asked} orders: ${paid} payments found, ${refused} orders that the gateway does not know.`,
      );
      if (!reached) say('The gateway could not be reached for the rest.');
      return reached && refused === 0;
    }
    if (action !== 'list') throw new WrongUsage(`"${action}" is not possible; there are list and reconcile.`);
    await withServices(env, async (_services, { db }) => {
      const rows = await db('payments as p')
        .join('orders as o', 'o.id', 'p.order_id')
        .join('firms as f', 'f.id', 'p.firm_id')
        .leftJoin('invoices as i', 'i.payment_id', 'p.id')
        .orderBy('p.id', 'desc')
        .limit(200)
        .select('p.*', 'o.plan_name', 'o.billing_cycle', 'f.name as firm', 'i.number');
      for (const row of rows) {
        const amount = `${row.currency} ${(row.amount_paise / 100).toFixed(2)}`;
        const look = row.problem ? `  LOOK: ${row.problem}` : '';
        say(
          `${momentInWords(new Date(row.paid_at))}  ${row.gateway_payment_id}  ${amount}  ${row.status}  ${row.number ?? '-'}  ${row.plan_name} ${row.billing_cycle}  ${row.firm}${look}`,
        );
      }
      if (rows.length === 0) say('No payments yet.');
    });
    return true;
  },
};
