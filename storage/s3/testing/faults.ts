import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to a request in place of being passed on; `pass` passes it on, to be answered or dropped as one likes. */
export type Fault = (
  asked: IncomingMessage,
  answer: ServerResponse,
  pass: () => Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }>,
) => Promise<void> | void;

export interface FaultyProxy {
  endpoint: string;
  /** What was asked, as `METHOD /path?query`, in order. */
  asked: string[];
  /** The next requests that match go wrong in this way, so many times. */
  next(matching: RegExp, fault: Fault, times?: number): void;
  /** Forgets what was asked and what was to go wrong. */
  calm(): void;
  close(): Promise<void>;
}

/** As S3 says that something went wrong. */
export const failWith =
  (status: number, code: string): Fault =>
  (asked, answer) => {
    asked.resume();
    answer.writeHead(status, { 'content-type': 'application/xml' });
    answer.end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
  };
export const reset: Fault = (asked) => void asked.socket.destroy();
/** The request is taken, and nothing is said. */
export const hang: Fault = (asked) => void asked.resume();
/** The request does its work, and the answer is lost. */
export const loseAnswer: Fault = async (asked, _answer, pass) => {
  await pass();
  asked.socket.destroy();
};
/** Says how much comes, and sends half of it. */
export const halfBody: Fault = async (asked, answer, pass) => {
  const { status, headers, body } = await pass();
  answer.writeHead(status, headers);
  answer.write(body.subarray(0, body.length >> 1), () => asked.socket.destroy());
};

/** Says how much comes, sends half of it, and then nothing. */
export const halfAndHang: Fault = async (_asked, answer, pass) => {
  const { status, headers, body } = await pass();
  answer.writeHead(status, headers);
  answer.write(body.subarray(0, body.length >> 1));
};

/** Stands before an S3 server, keeping the name under which requests were signed. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target);
  const faults: { matching: RegExp; fault: Fault; times: number }[] = [];
  const asked: string[] = [];

  function forward(incoming: IncomingMessage): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { method, url, headers } = incoming;
      const sent = request({ hostname, port, method, path: url, headers }, resolve).on('error', reject);
      incoming.pipe(sent);
    });
  }

  async function answerAsIs(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    try {
      const came = await forward(incoming);
      answer.writeHead(came.statusCode ?? 0, came.headers);
      came.on('error', () => answer.destroy()).pipe(answer);
    } catch {
      answer.destroy();
    }
  }

  const server: Server = createServer((incoming, answer) => {
    const what = `${incoming.method} ${incoming.url}`;
    asked.push(what);
    const planned = faults.find(({ matching, times }) => times > 0 && matching.test(what));
    if (planned) {
      planned.times -= 1;
      void planned.fault(incoming, answer, async () => {
        const came = await forward(incoming);
        const pieces: Buffer[] = [];
        for await (const piece of came) pieces.push(piece as Buffer);
        return { status: came.statusCode ?? 0, headers: came.headers, body: Buffer.concat(pieces) };
      });
      return;
    }
    void answerAsIs(incoming, answer);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    calm() {
      asked.length = 0;
      faults.length = 0;
    },
    next: (matching, fault, times = 1) => void faults.push({ matching, fault, times }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
