// The trial of Premium, which the drive, Storage and the plans offer.
import { plural } from './language.ts';

export const started = 'Free trial started successfully! Enjoy 14 days of premium features.';
export const failed = 'Failed to start trial. Please try again.';
export const tryPremium = (days: number) =>
  plural(days, { one: 'Try premium free for 1 day', other: 'Try premium free for # days' });
export const about = (days: number) => `A ${days}-day free trial with 5 GB and 3 users. No card needed.`;
export const starting = 'Starting...';
export const start = 'Start Trial';
