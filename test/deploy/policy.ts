import type { DeliveryPolicy } from '../../shared/webhooks/policy.ts';

/**
 * Replaces the deployed policy in the bundles of a test deployment, and exports the same name.
 * Receivers on this machine may register; the retry schedule's 5 minutes are 1 s on the queue, and
 * its 30 minutes 6 s in a schedule.
 */
export const productionPolicy: DeliveryPolicy = { allowLoopback: true, timeScale: 300 };
