import { serve } from '../serving/serve.ts';

// The whole server, for tests that kill it; it has no pages.
await serve(async () => ({
  async render(_req, res) {
    res.end();
  },
}));
