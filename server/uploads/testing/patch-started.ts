import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

/** Resolves when the server, which runs in this process, has received the next PATCH. */
export const nextPatchStarted = () =>
  new Promise<void>((resolve) => {
    const channel = 'http.server.request.start';
    const listen = (message: unknown) => {
      if ((message as { request: IncomingMessage }).request.method !== 'PATCH') return;
      unsubscribe(channel, listen);
      resolve();
    };
    subscribe(channel, listen);
  });
