import { Router } from '@koa/router';
import { read } from '#server/http/body.ts';
import { actorOf, success } from '#server/http/context.ts';
import { requireProof } from '#server/http/recent-proof.ts';
import { readId } from '#server/http/input.ts';
import { deactivation, invitation, personChange, remainingUsers, twoStepRequirement } from './contract.ts';
import type { Team } from './service.ts';

/** The users of the firm and its invitations. */
export function teamRoutes(team: Team): Router {
  const router = new Router({ prefix: '/api/team' });

  router.get('/', async (ctx) => {
    ctx.body = success(await team.view(actorOf(ctx)));
  });

  router.post('/invitations', async (ctx) => {
    const actor = actorOf(ctx);
    const request = await read(ctx, invitation);
    if (request.role === 'admin') requireProof(actor);
    const invited = await team.invite(actor, request);
    const message = invited.some(({ link }) => link)
      ? 'E-mail is not set up on this server: send each person their link yourself.'
      : invited.length === 1
        ? `An invitation is on its way to ${invited[0]?.email}.`
        : `${invited.length} invitations are on their way.`;
    ctx.body = success(invited, { message });
    ctx.status = 201;
  });

  router.post('/invitations/:id/send', async (ctx) => {
    const actor = actorOf(ctx);
    const id = readId(ctx.params.id, 'invitation');
    if (await team.invitesAdmin(actor, id)) requireProof(actor);
    const sent = await team.sendAgain(actor, id);
    ctx.body = success(sent.link ? sent : null, {
      message: sent.link
        ? 'A new link is made. The old one no longer works.'
        : 'A new link is on its way. The old one no longer works.',
    });
  });

  router.delete('/invitations/:id', async (ctx) => {
    await team.revoke(actorOf(ctx), readId(ctx.params.id, 'invitation'));
    ctx.body = success(null, { message: 'Invitation revoked.' });
  });

  router.post('/keep', async (ctx) => {
    await team.keepOnly(actorOf(ctx), (await read(ctx, remainingUsers)).ids);
    ctx.body = success(null, { message: 'The others are deactivated.' });
  });

  router.put('/two-step', async (ctx) => {
    const actor = actorOf(ctx);
    const { required, from } = await read(ctx, twoStepRequirement);
    if (!required) requireProof(actor);
    await team.requireTwoStep(actor, required, from);
    const message = required
      ? from
        ? 'Everyone is told to set up two-step sign-in by that day.'
        : 'Everyone now has to use two-step sign-in.'
      : 'Two-step sign-in is now optional.';
    ctx.body = success({ required }, { message });
  });

  router.patch('/:id', async (ctx) => {
    const actor = actorOf(ctx);
    const change = await read(ctx, personChange);
    if (change.role === 'admin') requireProof(actor);
    await team.change(actor, readId(ctx.params.id, 'person'), change);
    ctx.body = success(null, { message: 'Changes saved.' });
  });

  router.post('/:id/deactivate', async (ctx) => {
    const id = readId(ctx.params.id, 'person');
    const handed_over = await team.deactivate(actorOf(ctx), id, await read(ctx, deactivation));
    ctx.body = success({ handed_over }, { message: 'Deactivated and signed out everywhere.' });
  });

  router.post('/:id/reactivate', async (ctx) => {
    await team.reactivate(actorOf(ctx), readId(ctx.params.id, 'person'));
    ctx.body = success(null, { message: 'Reactivated.' });
  });

  router.post('/:id/hand-over', async (ctx) => {
    const id = readId(ctx.params.id, 'person');
    const handed_over = await team.handOver(actorOf(ctx), id, (await read(ctx, deactivation)).heir);
    ctx.body = success({ handed_over }, { message: `${handed_over} items handed over.` });
  });

  return router;
}
