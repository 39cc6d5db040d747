import { AppError } from '#server/http/errors.ts';
import { addressMatcher } from '#server/http/proxies.ts';
import type { WorkHours } from './contract.ts';
import { hoursText } from './contract.ts';
import { isWithin } from './work-hours.ts';

/** The working hours and networks of a user, as the columns of `users` store them. */
interface Admission {
  /** A `WorkHours` as JSON; null for any time. */
  work_hours: string | null;
  /** A JSON list of networks in CIDR notation. */
  networks: string;
}

const MAX_CACHED_CHECKS = 500;
const checks = new Map<string, (ip: string) => boolean>();

/** Parses a list once: every request of its users needs the check. */
function networkCheck(networks: string): (ip: string) => boolean {
  let check = checks.get(networks);
  if (!check) {
    if (checks.size >= MAX_CACHED_CHECKS) checks.clear();
    checks.set(networks, (check = addressMatcher(JSON.parse(networks) as string[])));
  }
  return check;
}

/**
 * The reason to refuse a user with these hours and networks now; null when the user is admitted.
 * @param ip undefined outside of a request, as in a recurring job: then only the hours are checked.
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
  if (networks !== '[]' && ip !== undefined && !networkCheck(networks)(ip)) {
    return new AppError(
      403,
      'outside_network',
      `Your firm lets you work here from the office network only, and ${ip.replace(/^::ffff:/i, '')} is not part of it. Ask an admin of your firm.`,
    );
  }
  return null;
}
