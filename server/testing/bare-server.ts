import { serve } from '../serving/serve.ts';

// A complete server without pages, for tests that kill it.
await serve(async () => ({
  async render(_req, res) {
    res.end();
  },
}));
