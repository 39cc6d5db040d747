import type { Figure } from './measure.ts';
import { fixed, median, percentile, timed } from './measure.ts';
import type { BenchServer } from './server.ts';
import type { Client } from './client.ts';

const TRIES = 200;
const AT_ONCE = 50;
/** The allowed difference of the medians in ms; smaller than a network lets an attacker measure. */
const MAX_DIFFERENCE = 5;

interface Caller {
  headers: Record<string, string>;
}

async function caller(url: string): Promise<Caller> {
  const answer = await fetch(`${url}/sanctum/csrf-cookie`);
  const cookie = answer.headers.getSetCookie().map((line) => line.split(';')[0]!);
  const xsrf = cookie.find((value) => value.startsWith('XSRF-TOKEN='))!.slice('XSRF-TOKEN='.length);
  return { headers: { cookie: cookie.join('; '), 'x-xsrf-token': xsrf, 'content-type': 'application/json' } };
}

const post = async (url: string, { headers }: Caller, body: object): Promise<void> => {
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  await answer.arrayBuffer();
};

/** Median times in ms of an address with and one without an account, measured in turn so that other load affects both. */
async function compareTimes(known: () => Promise<void>, unknown: () => Promise<void>) {
  const times: [number[], number[]] = [[], []];
  await known();
  await unknown();
  for (let n = 0; n < TRIES; n += 1) {
    times[0].push((await timed(known)) * 1000);
    times[1].push((await timed(unknown)) * 1000);
  }
  return times.map(median) as [number, number];
}

/** Measures whether response times reveal the existence of an account, and the effect of many concurrent sign-ins on other requests. */
export async function signInTimes(server: BenchServer, client: Client): Promise<Figure[]> {
  const from = await caller(server.url);
  const { email, password } = client;
  const signIn = (body: object) => () => post(`${server.url}/api/auth/login`, from, body);
  const forgot = (address: string) => () =>
    post(`${server.url}/api/auth/forgot-password`, from, { email: address });
  const nobody = 'nobody@example.in';

  const refusedSignIn = await compareTimes(
    signIn({ email, password: 'not the password' }),
    signIn({ email: nobody, password: 'not the password' }),
  );
  const forgottenPassword = await compareTimes(forgot(email), forgot(nobody));

  await server.resetPeak();
  const before = (await server.memory()).now;
  const pages: number[] = [];
  let done = false;
  const signIns = Promise.all(Array.from({ length: AT_ONCE }, signIn({ email, password }))).finally(() => {
    done = true;
  });
  while (!done) {
    pages.push((await timed(async () => (await fetch(`${server.url}/login`)).arrayBuffer())) * 1000);
  }
  await signIns;
  const grown = (await server.memory()).peak - before;
  const slowest = percentile(pages, 99);
  const figure = (label: string, [known, unknown]: [number, number]): Figure => ({
    name: `${label}, known and unknown address`,
    value: `${fixed(known)} and ${fixed(unknown)} ms`,
    target: { text: `within ${MAX_DIFFERENCE} ms`, reached: Math.abs(known - unknown) <= MAX_DIFFERENCE },
  });
  return [
    figure('refused sign-in', refusedSignIn),
    figure('forgotten password', forgottenPassword),
    {
      name: `a page during ${AT_ONCE} sign-ins at once, p99`,
      value: `${fixed(slowest, 0)} ms`,
      target: { text: 'under 1000 ms', reached: slowest < 1000 },
    },
    {
      name: `memory growth during ${AT_ONCE} sign-ins at once`,
      value: `${fixed(grown, 0)} MB`,
      target: { text: 'under 200 MB', reached: grown < 200 },
    },
  ];
}
