import type { Mutant } from './mutant.ts';

/** Each makes every endpoint a group of its own, so an account with many has many turns. */
export const fairness: readonly Mutant[] = [
  {
    name: 'first-attempts-grouped-by-endpoint',
    file: 'functions/fan-out/record.ts',
    find: '({ groupId: account, body: encodeMessage({ account, endpoint,',
    replace: '({ groupId: endpoint, body: encodeMessage({ account, endpoint,',
    seed: 1,
    invariant: 6,
  },
  {
    name: 'retries-grouped-by-endpoint',
    file: 'functions/deliver/attempt.ts',
    find: 'const groupId = message.account;',
    replace: 'const groupId = message.endpoint;',
    seed: 1,
    invariant: 6,
  },
  {
    name: 'bounced-into-the-group-of-the-endpoint',
    file: 'functions/deliver/endpoint.ts',
    find: 'groupId: message.account,',
    replace: 'groupId: message.endpoint,',
    seed: 1,
    invariant: 6,
  },
  {
    name: 'requeued-into-the-group-of-the-endpoint',
    file: 'shared/webhooks/overdue.ts',
    find: 'groupId: ref.account,',
    replace: 'groupId: ref.endpoint,',
    seed: 1,
    invariant: 6,
  },
];
