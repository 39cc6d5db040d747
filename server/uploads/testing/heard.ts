import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

/** When the server, which runs in this process, has heard of the next PATCH. */
export const patchHeard = () =>
  new Promise<void>((resolve) => {
    const channel = 'http.server.request.start';
    const listen = (message: unknown) => {
      if ((message as { request: IncomingMessage }).request.method !== 'PATCH') return;
      unsubscribe(channel, listen);
      resolve();
    };
    subscribe(channel, listen);
  });
