import { AppError } from '#server/http/errors.ts';
import { within } from '#server/http/proxies.ts';
import type { WorkHours } from './contract.ts';
import { hoursText } from './contract.ts';
import { isWithin } from './work-hours.ts';

/** When and from where a person may work, as the row of the user holds it. */
export interface Admission {
  /** A `WorkHours` as JSON; null for any time. */
  work_hours: string | null;
  /** A JSON list of networks in CIDR notation. */
  networks: string;
}

const KEPT = 500;
const checks = new Map<string, (ip: string) => boolean>();

/** Made once a list, since every request of its user asks. */
function checkOf(networks: string): (ip: string) => boolean {
  let check = checks.get(networks);
  if (!check) {
    if (checks.size >= KEPT) checks.clear();
    checks.set(networks, (check = within(JSON.parse(networks) as string[])));
  }
  return check;
}

/**
 * Why somebody with these hours and networks is not let in now; null when nothing is against it.
 * @param ip undefined where no request is being answered, as in a recurring job: then only the hours count.
 */
export function refusalOf(
  { work_hours, networks }: Admission,
  now: Date,
  ip: string | undefined,
): AppError | null {
  const hours = work_hours === null ? null : (JSON.parse(work_hours) as WorkHours);
  if (hours && !isWithin(hours, now)) {
    return new AppError(
      403,
      'outside_hours',
      `Your firm lets you work here ${hoursText(hours)}. Come back then, or ask an admin of your firm.`,
    );
  }
  if (networks !== '[]' && ip !== undefined && !checkOf(networks)(ip)) {
    return new AppError(
      403,
      'outside_network',
      `Your firm lets you work here from the office network only, and ${ip.replace(/^::ffff:/i, '')} is not part of it. Ask an admin of your firm.`,
    );
  }
  return null;
}
